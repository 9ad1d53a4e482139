/** Limits of one script. */
export interface BashLimits {
  /** @default 30_000 */
  readonly timeoutMs: number;
  /** Maximum size of the printed output, both streams together. @default 4_194_304 (4 MiB) */
  readonly maxOutputBytes: number;
  /** Maximum number of commands. @default 100_000 */
  readonly maxCommands: number;
  /** Maximum number of rounds of a loop, also in `awk`, `sed` and `jq`. @default 100_000 */
  readonly maxLoopIterations: number;
  /** Maximum number of nested calls of functions. @default 100 */
  readonly maxCallDepth: number;
  /** Maximum number of bytes that a script holds in memory. @default 268_435_456 (256 MiB) */
  readonly maxMemoryBytes: number;
  /** Maximum number of characters of a script. @default 48_000 */
  readonly maxScriptCharacters: number;
}

export const DEFAULT_BASH_LIMITS: BashLimits = Object.freeze({
  timeoutMs: 30_000,
  maxOutputBytes: 4 * 1024 * 1024,
  maxCommands: 100_000,
  maxLoopIterations: 100_000,
  maxCallDepth: 100,
  maxMemoryBytes: 256 * 1024 * 1024,
  maxScriptCharacters: 48_000,
});
