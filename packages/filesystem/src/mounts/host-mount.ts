import type { OpenHostRootOptions } from "../host/containment/open-host-root.js";
import type { CallOptions } from "../protocol/filesystem.js";
import type { RecoveredApply } from "./recover-apply.js";
import type { ChangesOptions, WorkspaceChanges } from "./workspace-changes.js";

/** A file or directory of this machine that is copied into a workspace. */
export interface HostMount {
  /** Absolute, or relative to an allowed root. `.` is the whole of the first one. */
  readonly hostPath: string;
  /**
   * Where it appears in the workspace. For a single file it is the file's own path, unless it ends in
   * a slash. @default its path below the allowed root: `src` appears at `/src`, `.` at the root
   */
  readonly mountPath?: string | undefined;
  /** Only files that match one of these patterns, at any depth. @default every file */
  readonly includeGlob?: readonly string[] | undefined;
  /** Nothing that matches one of these, at any depth; a directory goes with all that is in it. Wins over `includeGlob`. @default nothing is excluded */
  readonly excludeGlob?: readonly string[] | undefined;
  /**
   * Leaves out what `.gitignore` files and `.git/info/exclude` say, from the top of the repository (as
   * far as it is allowed) down. Whether a file is tracked all the same is not looked at. @default false
   */
  readonly gitignore?: boolean | undefined;
  /** Most bytes over all files; one more and nothing is mounted. @default 1_073_741_824 (1 GiB) */
  readonly maxBytes?: number | undefined;
  /** Most files; one more and nothing is mounted. @default 100_000 */
  readonly maxFiles?: number | undefined;
  /** Larger files are left out. @default no limit but `maxBytes` */
  readonly maxFileBytes?: number | undefined;
  /** Whether what a symbolic link leads to is copied, where that lies in an allowed root. @default false: links are left out */
  readonly followSymlinks?: boolean | undefined;
  /**
   * Whether secrets are copied too: files and directories with a name that tells (`.env`, `id_rsa`, `.ssh`,
   * `service-account.json` …), and text files that hold a private key or a token of a known form in their first 64 KiB.
   * Files over 1 MiB are judged by name alone. @default false
   */
  readonly includeSecrets?: boolean | undefined;
}

export interface MountHostOptions
  extends CallOptions,
    Pick<OpenHostRootOptions, "weakContainment" | "networkFilesystem"> {
  /** The directories that may be mounted from and written back to. With none, nothing may be mounted. */
  readonly allowedHostRoots: readonly string[];
  /** Hears from time to time how far the copying has come. @default nobody does */
  readonly onProgress?: ((progress: MountProgress) => void) | undefined;
  /** Whether files with more than one name on the host are left out: they could be a name for something elsewhere. @default false */
  readonly rejectHardlinks?: boolean | undefined;
  /**
   * Whether the state after the copy is kept, for `changes` to compare with. On a directory that costs about
   * as much again as the copy; in memory nothing. @default true
   */
  readonly trackChanges?: boolean | undefined;
  /**
   * Where the journals and pre-images of applied changes are kept, private to the user. Must outlive the process.
   * @default `wink/apply` in `$XDG_STATE_HOME` or `~/.local/state`; where that cannot be used in `$XDG_RUNTIME_DIR`, else a
   * private directory in the system's temporary directory
   */
  readonly stateDirectory?: string | undefined;
}

export interface MountProgress {
  readonly fileCount: number;
  readonly totalBytes: number;
  /** The workspace path that was copied last. */
  readonly path: string;
}

export type LeftOutReason =
  /** Matches `excludeGlob`. */
  | "excluded"
  /** Matches no `includeGlob`. */
  | "not-included"
  | "ignored"
  /** Part of a git repository's own files. */
  | "git"
  | "secret"
  | "symlink"
  /** A link to somewhere outside the allowed roots, to nothing, or back to where it stands. */
  | "link-out"
  | "hardlink"
  /** A FIFO, socket or device. */
  | "special"
  | "unreadable"
  | "too-large"
  /** Too deep or with too long a name for the workspace. */
  | "path-limit";

/** A file that was not copied, or a directory with everything in it. */
export interface MountLeftOut {
  /** Where it would have appeared. */
  readonly path: string;
  readonly reason: LeftOutReason;
  readonly isDirectory: boolean;
  /** For a secret, how it was recognised: `secret name`, or `secret content:` and what was found, such as `private key`. */
  readonly detail?: string | undefined;
}

export interface MountReport {
  readonly fileCount: number;
  readonly directoryCount: number;
  readonly totalBytes: number;
  /** What each mount brought, in the order given. */
  readonly mounts: readonly {
    readonly hostPath: string;
    readonly mountPath: string;
    readonly fileCount: number;
    readonly totalBytes: number;
  }[];
  /** By path in byte order. */
  readonly leftOut: readonly MountLeftOut[];
  /** What became of changes whose application a crash had interrupted. Mostly empty. */
  readonly recovered: readonly RecoveredApply[];
}

/** A copy of host files. What happens to the host afterwards does not reach it. */
export interface MountedWorkspace {
  readonly report: MountReport;
  /**
   * Resolves when the state to compare with is kept. Changes through the filesystem wait for it by
   * themselves; wait for it before anything else, such as a shell, may change files in a mounted directory.
   */
  ready(): Promise<void>;
  /** What became of the copy, to be looked at and to be written back. Throws `EINVAL` when `trackChanges` was off. */
  changes(options?: ChangesOptions): WorkspaceChanges;
}

export const DEFAULT_MAX_MOUNT_BYTES = 1024 * 1024 * 1024;
export const DEFAULT_MAX_MOUNT_FILES = 100_000;
