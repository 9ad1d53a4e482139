/** Parts of texts that differ from run to run and mean the same. */
export type Alike = readonly RegExp[];

const DURATIONS = /\b\d+(?:[.,]\d+)? ?(?:ns|µs|us|ms|s|sec|min|milliseconds?|seconds?|minutes?)\b/g;

/**
 * What counts as equal when nothing else is said: times as ISO 8601 writes them,
 * durations such as `12 ms` and `1.5s`, UUIDs, and hashes and ids in hexadecimal, of
 * seven digits and more with a letter and a figure among them or of twelve and more.
 */
export const ALIKE_BY_DEFAULT: Alike = Object.freeze([
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g,
  DURATIONS,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  /(?<![0-9a-z])(?:(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,}|[0-9a-f]{12,})(?![0-9a-z])/gi,
]);

/** What counts as equal in instructions and tools: a duration there was not measured but written. */
export function alikeInPrompt(alike: Alike): Alike {
  return alike.filter((pattern) => pattern !== DURATIONS);
}

/** The text with one and the same thing in place of everything that is alike. */
export function withoutAlike(text: string, alike: Alike): string {
  // Searched for everywhere, whatever the caller's expression says.
  return alike.reduce((left, pattern) => left.replaceAll(everywhere(pattern), "…"), text);
}

function everywhere(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`);
}
