import type { FilesystemLimits, FilesystemQuotas } from "./limits.js";

/** What every filesystem can be made with. */
export interface FilesystemOptions {
  /** Refuses every change with `EROFS`. @default false */
  readonly readOnly?: boolean | undefined;
  /** A prefix that absolute paths must carry, such as `/workspace`. @default none */
  readonly mountPoint?: string | undefined;
  /** @default DEFAULT_LIMITS */
  readonly limits?: Partial<FilesystemLimits> | undefined;
  /** @default none */
  readonly quotas?: FilesystemQuotas | undefined;
  /** Whether what is in a `.git` directory may be changed. @default false */
  readonly allowGit?: boolean | undefined;
  /** What `root` answers. @default "/" or the mount point */
  readonly root?: string | undefined;
}
