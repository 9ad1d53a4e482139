/** A shorter one is in so many paths that looking for it gains nothing; and `.` may drop out of a pattern. */
const LEAST_CHARACTERS = 3;

/**
 * A text that all `patterns` have in common where they begin alike or end alike, and that every path they match
 * therefore holds; empty when there is none. `*report-{01..31}*` has `report-`.
 */
export function sharedText(patterns: readonly string[]): string {
  const [first = "", ...others] = patterns;
  const start = first.slice(
    0,
    countAlike(first, others, (text, index) => text.charCodeAt(index)),
  );
  const alikeAtEnd = countAlike(first, others, (text, index) =>
    text.charCodeAt(text.length - 1 - index),
  );
  const end = first.slice(first.length - alikeAtEnd);
  // What stands in brackets is one of several.
  const before = start.includes("[") ? "" : (/[^*?/]*$/.exec(start)?.[0] ?? "");
  const after = end.includes("]") ? "" : (/^[^*?/]*/.exec(end)?.[0] ?? "");
  const longer = before.length >= after.length ? before : after;
  return longer.length < LEAST_CHARACTERS ? "" : longer;
}

/** How many characters all have in common, in the order in which `at` gives them. */
function countAlike(
  first: string,
  others: readonly string[],
  at: (text: string, index: number) => number,
): number {
  let count = first.length;
  for (const other of others) {
    let alike = 0;
    while (alike < count && at(other, alike) === at(first, alike)) alike++;
    count = alike;
  }
  return count;
}
