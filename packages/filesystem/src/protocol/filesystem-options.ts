import { findOptionProblem } from "@wink/store/internal";
import { invalidArgument } from "./filesystem-error.js";
import type { FilesystemLimits, FilesystemQuotas } from "./limits.js";

/** Options of every filesystem. */
export interface FilesystemOptions {
  /** Refuses every change with `EROFS`. @default false */
  readonly readOnly?: boolean | undefined;
  /**
   * A required prefix of absolute paths, such as `/workspace`. With `/`, an absolute target of a link is a path of the
   * workspace. @default none
   */
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

const NAMES = [
  "readOnly",
  "mountPoint",
  "limits",
  "quotas",
  "allowGit",
  "root",
] as const satisfies readonly (keyof FilesystemOptions)[];

/** Refuses options that are not an object or have an unknown name. `more` are the names that a backend adds. */
export function checkOptionNames(options: unknown, more: readonly string[] = []): void {
  const problem = findOptionProblem(options, [...NAMES, ...more]);
  if (problem !== undefined) throw invalidArgument("open", problem);
}

/** Refuses a mount point that is not absolute or not normalised. */
export function checkMountPoint(mountPoint: string | undefined): string | undefined {
  if (mountPoint === undefined) return undefined;
  if (typeof mountPoint === "string" && isMountPoint(mountPoint)) return mountPoint;
  throw invalidArgument("open", "mountPoint must be an absolute path such as /workspace");
}

function isMountPoint(path: string): boolean {
  if (path === "/") return true;
  return /^(?:\/[^/\\\s.][^/\\]*)+$/.test(path) && !/\p{Cc}/u.test(path) && path.isWellFormed();
}
