import { findUnknownOption } from "@wink/store/internal";
import { invalidArgument } from "./filesystem-error.js";

/** The limits of one call. Fields that are left out keep their defaults. */
export interface FilesystemLimits {
  /**
   * The maximum size of the content of one `write` or `writeBytes`, and of a file after `append`.
   * @default 33_554_432 (32 MiB)
   */
  readonly maxWriteBytes: number;
  /**
   * The maximum size of a file for `read`. Larger files fail with `EFBIG`; use a stream.
   * @default 268_435_456 (256 MiB)
   */
  readonly maxReadFileBytes: number;
  /**
   * The maximum size of a page of `read` or `readBytes`. A larger page is cut and marked `truncated`.
   * @default 33_554_432 (32 MiB)
   */
  readonly maxReadBytes: number;
  /** The number of lines that `read` returns without a `limit`. @default 2_000 */
  readonly defaultReadLines: number;
  /**
   * The maximum number of entries of `list`. More are left out and the result is marked `truncated`.
   * @default 100_000
   */
  readonly maxListEntries: number;
  /**
   * The maximum number of matches of `glob`. More are left out and the result is marked `truncated`.
   * @default 100_000
   */
  readonly maxGlobMatches: number;
  /** The maximum number of matches of `grep`. More are left out and the result is marked `truncated`. @default 1_000 */
  readonly maxGrepMatches: number;
  /**
   * The maximum length of a matching line in the result of `grep`. A longer line is clipped around its match.
   * @default 500
   */
  readonly maxGrepLineCharacters: number;
  /** The maximum size of a file for `grep`. Larger files are skipped and reported. @default 33_554_432 (32 MiB) */
  readonly maxGrepFileBytes: number;
  /** The maximum length of a pattern of `glob` or `grep`. @default 4_096 */
  readonly maxPatternCharacters: number;
  /** How long a slow regular expression may run in one `grep` before it is stopped, in milliseconds. @default 500 */
  readonly maxSlowRegexMs: number;
  /**
   * The maximum number of matching steps of a glob in one `glob` or `grep`. The first 512 steps of each path are not
   * counted. A million steps take about 10 ms.
   * @default 30_000_000
   */
  readonly maxSlowGlobSteps: number;
  /** The size of a chunk of a stream. @default 65_536 (64 KiB) */
  readonly streamChunkBytes: number;
  /** The maximum depth of a path that may be created, in segments. @default 16 */
  readonly maxPathDepth: number;
  /** The maximum length of a path segment that may be created, in characters. @default 80 */
  readonly maxSegmentCharacters: number;
  /** The maximum length of a path segment that may be created, in UTF-8 bytes. @default 255 */
  readonly maxSegmentBytes: number;
}

export const DEFAULT_LIMITS: FilesystemLimits = Object.freeze({
  maxWriteBytes: 32 * 1024 * 1024,
  maxReadFileBytes: 256 * 1024 * 1024,
  maxReadBytes: 32 * 1024 * 1024,
  defaultReadLines: 2_000,
  maxListEntries: 100_000,
  maxGlobMatches: 100_000,
  maxGrepMatches: 1_000,
  maxGrepLineCharacters: 500,
  maxGrepFileBytes: 32 * 1024 * 1024,
  maxPatternCharacters: 4_096,
  maxSlowRegexMs: 500,
  maxSlowGlobSteps: 30_000_000,
  streamChunkBytes: 64 * 1024,
  maxPathDepth: 16,
  maxSegmentCharacters: 80,
  maxSegmentBytes: 255,
});

/** The quotas of the whole filesystem. A quota that is left out is not enforced. */
export interface FilesystemQuotas {
  /** The maximum total size of all files, in bytes. @default none */
  readonly maxTotalBytes?: number | undefined;
  /** The maximum size of one file, in bytes, for every way of writing. @default none */
  readonly maxFileBytes?: number | undefined;
  /** The maximum number of files and directories, without the root. @default none */
  readonly maxNodeCount?: number | undefined;
}

/** Fills in the defaults and refuses a limit that is not a non-negative integer. */
export function resolveLimits(limits: Partial<FilesystemLimits> = {}): FilesystemLimits {
  return Object.freeze({
    ...DEFAULT_LIMITS,
    ...checkedCounts("limits", limits, Object.keys(DEFAULT_LIMITS)),
  });
}

const QUOTAS = [
  "maxTotalBytes",
  "maxFileBytes",
  "maxNodeCount",
] as const satisfies readonly (keyof FilesystemQuotas)[];

/** A frozen copy. Refuses a quota that is not a non-negative integer. */
export function resolveQuotas(quotas: FilesystemQuotas = {}): FilesystemQuotas {
  return Object.freeze(checkedCounts("quotas", quotas, QUOTAS));
}

/** A copy without the undefined values. */
function checkedCounts<T extends object>(option: string, given: T, names: readonly string[]): T {
  const problem = findUnknownOption(given, names);
  if (problem !== undefined) throw invalidArgument("open", `${option}: ${problem}`);
  const defined = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of defined)
    if (!Number.isSafeInteger(value) || value < 0)
      throw invalidArgument("open", `${option}.${name} must be a whole number of at least 0`);
  // The same keys without the undefined ones, which a partial or optional T allows.
  return Object.fromEntries(defined) as T;
}
