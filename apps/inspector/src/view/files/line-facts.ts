import type { BlameRange, SeenRange } from "../../model/run-views.js";

/** Whether the model had read each line: 0 no, 1 an earlier version, 2 this version. Item 0 is line 1. */
export function seenLines(count: number, ranges: readonly SeenRange[]): Uint8Array {
  const seen = new Uint8Array(count);
  for (const { from, to, isCurrent } of ranges)
    for (let line = Math.max(1, from); line <= Math.min(to, count); line++)
      seen[line - 1] = Math.max(seen[line - 1] ?? 0, isCurrent ? 2 : 1);
  return seen;
}

/** The range that each line belongs to, or `undefined`. Item 0 is line 1. */
export function writersOf(
  count: number,
  ranges: readonly BlameRange[],
): readonly (BlameRange | undefined)[] {
  const writers = new Array<BlameRange | undefined>(count).fill(undefined);
  for (const range of ranges)
    for (let line = Math.max(1, range.from); line <= Math.min(range.to, count); line++)
      writers[line - 1] = range;
  return writers;
}
