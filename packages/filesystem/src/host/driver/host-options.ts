import type { FilesystemOptions } from "../../protocol/filesystem-options.js";
import type { OpenHostRootOptions } from "../containment/open-host-root.js";

/** Options of a filesystem on a host directory. */
export interface HostFilesystemOptions
  extends Omit<FilesystemOptions, "root">,
    OpenHostRootOptions {
  /** Whether temporary files of dead processes are removed. @default `true`, or `false` with `readOnly` */
  readonly sweep?: boolean | undefined;
  /** Whether writes and snapshots are synced to the disk before they are reported as done. @default true */
  readonly fsync?: boolean | undefined;
  /**
   * Whether glob, grep and usage enter other filesystems mounted below the root. A removal never does. @default
   * false
   */
  readonly crossMounts?: boolean | undefined;
  /**
   * Whether other programs may write to the workspace while it is open. A program that has mapped a file can change
   * it without changing the file's times, until the kernel writes the change to the disk. So with `possible`, files
   * that changed in the last minute are read again on every access, and on a filesystem in memory all files are.
   * Use `none` only if no other program runs in the workspace. @default "possible"
   */
  readonly otherWriters?: "possible" | "none" | undefined;
  /**
   * Globs of paths that snapshots neither capture nor change, set by the host. A pattern without `/` matches a name at
   * any depth. A directory that matches is excluded with all its content. @default none
   */
  readonly exclude?: readonly string[] | undefined;
  /** Snapshots neither capture nor change larger files. @default 1 GiB */
  readonly maxFileBytes?: number | undefined;
  /**
   * The directory for snapshots, outside the workspace and private: empty, missing or an existing store. @default a
   * temporary one, removed on `close`
   */
  readonly storeDirectory?: string | undefined;
  /**
   * The `committedBy` file whose unfinished transactions are ended on opening even if their process seems to be
   * alive. Set it only if you made sure that no other process works with that file. @default none
   */
  readonly takesOver?: string | undefined;
}
