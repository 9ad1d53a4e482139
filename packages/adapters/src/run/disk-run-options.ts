import type { HostFilesystemOptions } from "@wink/filesystem/host";
import type { SessionLogOptions } from "@wink/session/jsonl";

import type { KeepStatesOptions } from "../runtime/call/keep-states.js";

export interface DiskRunOptions {
  /** The directory that the tools work in. */
  readonly workspace: string;
  /** What the session is made of: slices, tags, a clock. @default as for `SessionLog.open` */
  readonly session?: Omit<SessionLogOptions, "fsync" | "returnTo" | "session"> | undefined;
  /** Limits, quotas and what snapshots leave out. @default as for `HostFilesystem.open` */
  readonly filesystem?:
    | Omit<HostFilesystemOptions, "fsync" | "readOnly" | "storeDirectory" | "takesOver">
    | undefined;
  /**
   * Has each call that changes files leave a snapshot that its event names, as `keepStates` does. It costs a look at
   * the whole workspace for each such call. @default none is taken
   */
  readonly snapshots?: KeepStatesOptions | undefined;
  /**
   * Whether session, files and journal wait for the disk. Without it a run survives the end of the process,
   * however it ends, but not a power cut. @default false
   */
  readonly fsync?: boolean | undefined;
}
