const DURATIONS = /\b\d+(?:[.,]\d+)? ?(?:ns|µs|us|ms|s|sec|min|milliseconds?|seconds?|minutes?)\b/g;

/**
 * The default patterns: ISO 8601 times, durations such as `12 ms` and `1.5s`, UUIDs, and
 * hexadecimal hashes and ids. A hexadecimal id has at least seven digits with a letter and a
 * figure among them, or at least twelve digits.
 */
export const DEFAULT_IGNORED_PATTERNS: readonly RegExp[] = Object.freeze([
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g,
  DURATIONS,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  /(?<![0-9a-z])(?:(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,}|[0-9a-f]{12,})(?![0-9a-z])/gi,
]);

/**
 * The patterns for instructions and tools. Durations there were written by the author, not
 * measured, so they must match exactly.
 */
export function ignoredInPrompt(patterns: readonly RegExp[]): readonly RegExp[] {
  return patterns.filter((pattern) => pattern !== DURATIONS);
}

/** Replaces every match of the patterns with the same placeholder. */
export function withoutIgnored(text: string, patterns: readonly RegExp[]): string {
  // `replaceAll` needs the `g` flag, which the caller's pattern may not have.
  return patterns.reduce((left, pattern) => left.replaceAll(everywhere(pattern), "…"), text);
}

function everywhere(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`);
}
