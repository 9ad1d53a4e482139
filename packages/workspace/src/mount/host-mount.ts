import type { CallOptions } from "@wink/filesystem";
import type { OpenHostRootOptions } from "@wink/filesystem/host";

/** A file or directory of this machine to copy into a workspace. */
export interface HostMount {
  /** Absolute, or relative to an allowed root. `.` is the first root itself. */
  readonly hostPath: string;
  /**
   * The path in the workspace. For a single file this is the file's path; with a trailing slash it is the directory for
   * the file. @default its path below the allowed root: `src` appears at `/src`, `.` at the root
   */
  readonly mountPath?: string | undefined;
  /** Copies only files that match one of these patterns, at any depth. @default every file */
  readonly includeGlob?: readonly string[] | undefined;
  /**
   * Leaves out everything that matches one of these patterns, at any depth. A directory is left out with its content.
   * Wins over `includeGlob`. @default nothing is excluded
   */
  readonly excludeGlob?: readonly string[] | undefined;
  /**
   * Leaves out files that `.gitignore` files and `.git/info/exclude` ignore, from the top of the repository (if it is
   * inside the allowed root) down. A tracked file is copied even if a rule matches it. @default false
   */
  readonly gitignore?: boolean | undefined;
  /**
   * Mounts the files of a revision of the repository instead of the files on disk. Needs git, and no checkout. Contents
   * are those that git stores: filters, such as those of Git LFS, do not run. Links and submodules are left out.
   * @default the files on disk
   */
  readonly git?: { readonly rev: string } | undefined;
  /** The maximum total size of all files. If it is exceeded, nothing is mounted. @default 1_073_741_824 (1 GiB) */
  readonly maxBytes?: number | undefined;
  /** The maximum number of files. If it is exceeded, nothing is mounted. @default 100_000 */
  readonly maxFiles?: number | undefined;
  /** Larger files are left out. @default no limit other than `maxBytes` */
  readonly maxFileBytes?: number | undefined;
  /**
   * Whether to copy the target of a symbolic link, if it is inside an allowed root. @default false: links are left out
   */
  readonly followSymlinks?: boolean | undefined;
  /**
   * Whether to copy secrets too. Secrets are files with a known name (`.env`, `id_rsa`, everything in `.ssh`,
   * `service-account.json` …) that are not plainly harmless, and files with a private key, a token of a known form or a
   * generated password in their first 64 KiB. Files over 1 MiB are checked by name only. @default false
   */
  readonly includeSecrets?: boolean | undefined;
}

export interface MountHostOptions
  extends CallOptions,
    Pick<OpenHostRootOptions, "weakContainment" | "networkFilesystem"> {
  /** The directories that you may mount from and write back to. With an empty list nothing can be mounted. */
  readonly allowedHostRoots: readonly string[];
  /** Called from time to time with the progress of the copy. @default not called */
  readonly onProgress?: ((progress: MountProgress) => void) | undefined;
  /**
   * Whether to leave out files with more than one hard link, because another link may be outside the mount. @default
   * false
   */
  readonly rejectHardlinks?: boolean | undefined;
  /**
   * Whether to store the state after the copy, so that `changes` can compare with it. On a host directory this takes
   * about as long as the copy; in memory it is free. @default true
   */
  readonly trackChanges?: boolean | undefined;
  /**
   * Where to store the journals and the old contents of applied changes. Must be private to the user and outlive the
   * process.
   * @default `wink/apply` in `$XDG_STATE_HOME` or `~/.local/state`; if that is not usable, in `$XDG_RUNTIME_DIR`;
   * otherwise a private directory in the system's temporary directory
   */
  readonly stateDirectory?: string | undefined;
}

export interface MountProgress {
  readonly fileCount: number;
  readonly totalBytes: number;
  /** The workspace path of the last copied file. */
  readonly path: string;
}

export type LeftOutReason =
  /** Matches `excludeGlob`. */
  | "excluded"
  /** Matches no `includeGlob`. */
  | "not-included"
  | "ignored"
  /** Inside a `.git` directory, or its name would be read as `.git` by some git. */
  | "git"
  | "secret"
  | "symlink"
  /** A link to a path outside the allowed roots, to a missing file, or to a directory that contains the link. */
  | "link-out"
  | "hardlink"
  /** A FIFO, socket or device. */
  | "special"
  | "unreadable"
  | "too-large";

/** A file that was not copied, or a directory that was not copied with its content. */
export interface MountLeftOut {
  /** The workspace path that it would have had. */
  readonly path: string;
  readonly reason: LeftOutReason;
  readonly isDirectory: boolean;
  /** For a secret, how it was recognised: `secret name`, or `secret content: ` and the kind, such as `private key`. */
  readonly detail?: string | undefined;
}

export const DEFAULT_MAX_MOUNT_BYTES = 1024 * 1024 * 1024;
export const DEFAULT_MAX_MOUNT_FILES = 100_000;
