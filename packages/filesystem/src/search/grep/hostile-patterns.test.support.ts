/** Rows for a test table. Each is named by the start of its pattern. */
export function named(patterns: readonly string[]) {
  return patterns.map((pattern) => {
    const shown = JSON.stringify(pattern.slice(0, 40)).slice(1, -1);
    return { pattern, name: pattern.length > 40 ? `${shown}… (${pattern.length})` : shown };
  });
}

/** A limit for a call that hangs. It counts for a busy machine, where a pattern waits for a processor. */
export const HARD_CAP_MS = 240_000;
