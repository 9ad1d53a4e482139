import type { FilesystemLimits, FilesystemQuotas } from "./limits.js";

/** Options of every filesystem. */
export interface FilesystemOptions {
  /** Refuses every change with `EROFS`. @default false */
  readonly readOnly?: boolean | undefined;
  /** A required prefix of absolute paths, such as `/workspace`. @default none */
  readonly mountPoint?: string | undefined;
  /** @default DEFAULT_LIMITS */
  readonly limits?: Partial<FilesystemLimits> | undefined;
  /** @default none */
  readonly quotas?: FilesystemQuotas | undefined;
  /** Whether files in a `.git` directory may be changed. @default false */
  readonly allowGit?: boolean | undefined;
  /** The value of `root`. @default "/" or the mount point */
  readonly root?: string | undefined;
}
