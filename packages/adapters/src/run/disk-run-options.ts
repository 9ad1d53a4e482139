import type { HostFilesystemOptions } from "@wink/filesystem/host";
import type { SessionLogOptions } from "@wink/session/jsonl";

import type { SnapshotAfterCallsOptions } from "../runtime/call/snapshot-after-calls.js";

export interface DiskRunOptions {
  /** The directory in which the tools work. */
  readonly workspace: string;
  /** Options of the session, such as slices, tags and a clock. @default as for `SessionLog.open` */
  readonly session?: Omit<SessionLogOptions, "fsync" | "returnTo" | "session"> | undefined;
  /** Limits, quotas and the paths that snapshots ignore. @default as for `HostFilesystem.open` */
  readonly filesystem?:
    | Omit<HostFilesystemOptions, "fsync" | "readOnly" | "storeDirectory" | "takesOver">
    | undefined;
  /**
   * Takes a snapshot after each call that changes files and names it in the call's event, as
   * `snapshotAfterCalls` does. Each snapshot scans the whole workspace. @default no snapshots
   */
  readonly snapshots?: SnapshotAfterCallsOptions | undefined;
  /**
   * Whether session, files and journal are flushed to disk. Without it, a run survives a crash of
   * the process but not a power cut. @default false
   */
  readonly fsync?: boolean | undefined;
}
