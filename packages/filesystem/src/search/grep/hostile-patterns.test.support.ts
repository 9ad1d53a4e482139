/** Rows for a table of tests, each named by the beginning of its pattern. */
export function named(patterns: readonly string[]) {
  return patterns.map((pattern) => {
    const shown = JSON.stringify(pattern.slice(0, 40)).slice(1, -1);
    return { pattern, name: pattern.length > 40 ? `${shown}… (${pattern.length})` : shown };
  });
}

/** A call that is not over by then fails its test. What is promised is a second; machines have bad days. */
export const HARD_CAP_MS = 10_000;
