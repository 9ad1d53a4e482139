import type { HostFilesystemOptions } from "@wink/filesystem/host";
import type { SessionLogOptions } from "@wink/session/jsonl";

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
   * Whether session, files and journal wait for the disk. Without it a run survives the end of the process,
   * however it ends, but not a power cut. @default false
   */
  readonly fsync?: boolean | undefined;
}
