/** What one call may ask for. Every field can be set; what is left out keeps its default. */
export interface FilesystemLimits {
  /** Largest content of one `write` or `writeBytes`, and of one file made by `append`. @default 33_554_432 (32 MiB) */
  readonly maxWriteBytes: number;
  /** Largest file `read` looks at; beyond it `read` fails with `EFBIG` and the streams are the way. @default 268_435_456 (256 MiB) */
  readonly maxReadFileBytes: number;
  /** Largest page `read` or `readBytes` returns; a longer one is cut and marked `truncated`. @default 33_554_432 (32 MiB) */
  readonly maxReadBytes: number;
  /** Lines `read` returns when no `limit` is given. @default 2_000 */
  readonly defaultReadLines: number;
  /** Most entries `list` returns; beyond it the result is marked `truncated`. @default 100_000 */
  readonly maxListEntries: number;
  /** Most matches `glob` returns; beyond it the result is marked `truncated`. @default 100_000 */
  readonly maxGlobMatches: number;
  /** Most matches `grep` returns; beyond it the result is marked `truncated`. @default 1_000 */
  readonly maxGrepMatches: number;
  /** Characters of a matching line that `grep` shows; a longer line is clipped around its match. @default 500 */
  readonly maxGrepLineCharacters: number;
  /** Largest file `grep` looks into; a larger one is skipped and reported. @default 33_554_432 (32 MiB) */
  readonly maxGrepFileBytes: number;
  /** Longest pattern of `glob` or `grep`. @default 4_096 */
  readonly maxPatternCharacters: number;
  /** How long a regular expression may be slow in one `grep` before it is given up. @default 500 */
  readonly maxSlowRegexMs: number;
  /**
   * How many steps of matching a glob may take in one `glob` or `grep`, beyond the 512 that each path may take anyway, before
   * it is given up. A million steps take some 10 ms. @default 30_000_000
   */
  readonly maxSlowGlobSteps: number;
  /** Bytes a stream hands over at a time. @default 65_536 (64 KiB) */
  readonly streamChunkBytes: number;
  /** Deepest path that may be created, in segments. @default 16 */
  readonly maxPathDepth: number;
  /** Longest path segment that may be created, in characters. @default 80 */
  readonly maxSegmentCharacters: number;
  /** Longest path segment that may be created, in UTF-8 bytes. @default 255 */
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

/** What the whole filesystem may hold. A quota left out is not enforced. */
export interface FilesystemQuotas {
  /** Most bytes over all files together. @default none */
  readonly maxTotalBytes?: number | undefined;
  /** Most bytes in one file, however it is written. @default none */
  readonly maxFileBytes?: number | undefined;
  /** Most files and directories together, the root not counted. @default none */
  readonly maxNodeCount?: number | undefined;
}

/** Fills in the defaults and refuses a limit that is not a whole number of its unit. */
export function resolveLimits(limits: Partial<FilesystemLimits> = {}): FilesystemLimits {
  const resolved = { ...DEFAULT_LIMITS, ...withoutUndefined(limits) };
  for (const [name, value] of Object.entries(resolved)) requireCount(name, value);
  return Object.freeze(resolved);
}

/** A frozen copy, with each quota checked to be a whole number. */
export function resolveQuotas(quotas: FilesystemQuotas = {}): FilesystemQuotas {
  const resolved = withoutUndefined(quotas);
  for (const [name, value] of Object.entries(resolved)) requireCount(name, value);
  return Object.freeze(resolved);
}

function withoutUndefined<T extends object>(values: T): T {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  // The same keys less the undefined ones: what a partial or optional T allows.
  return Object.fromEntries(defined) as T;
}

function requireCount(name: string, value: unknown): void {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return;
  throw new RangeError(`${name} must be a whole number of at least 0, not ${String(value)}.`);
}
