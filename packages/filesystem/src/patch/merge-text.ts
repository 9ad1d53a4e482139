import { TimeSlices } from "../content/time-slices.js";
import { splitLines } from "./unified-patch-hunks.js";
import { diffLines, type LineChange } from "./unified-patch-line-diff.js";

/**
 * Merges two changes of one text. Resolves to `undefined` when both sides changed the same or adjacent lines in
 * different ways. An identical change on both sides counts once.
 *
 * Yields to the event loop during long work.
 */
export async function mergeText(
  base: string,
  ours: string,
  theirs: string,
): Promise<string | undefined> {
  const slices = new TimeSlices();
  const origin = splitLines(base);
  const left: Side = { lines: splitLines(ours), next: 0, changes: [] };
  const right: Side = { lines: splitLines(theirs), next: 0, changes: [] };
  left.changes = await diffLines(origin, left.lines, { slices });
  right.changes = await diffLines(origin, right.lines, { slices });
  if (slices.isOver()) await slices.pause();

  const merged: string[] = [];
  let position = 0;
  for (;;) {
    const a = left.changes[left.next];
    const b = right.changes[right.next];
    if (a === undefined && b === undefined) break;
    const both = a !== undefined && b !== undefined && touches(a, b);
    if (both && !isSame(a, left, b, right)) return undefined;
    const isLeft = both || b === undefined || (a !== undefined && a.aStart < b.aStart);
    const side = isLeft ? left : right;
    const change = isLeft ? a : b;
    if (change === undefined) break;
    pushLines(merged, origin, position, change.aStart);
    pushLines(merged, side.lines, change.bStart, change.bEnd);
    position = change.aEnd;
    if (isLeft) left.next++;
    if (!isLeft || both) right.next++;
  }
  pushLines(merged, origin, position, origin.length);
  return merged.join("");
}

interface Side {
  readonly lines: readonly string[];
  changes: readonly LineChange[];
  next: number;
}

/** Whether no unchanged line is between the two changes. Then their order would be ambiguous. */
function touches(a: LineChange, b: LineChange): boolean {
  return a.aStart <= b.aEnd && b.aStart <= a.aEnd;
}

function isSame(a: LineChange, left: Side, b: LineChange, right: Side): boolean {
  if (a.aStart !== b.aStart || a.aEnd !== b.aEnd) return false;
  if (a.bEnd - a.bStart !== b.bEnd - b.bStart) return false;
  for (let index = 0; index < a.bEnd - a.bStart; index++)
    if (left.lines[a.bStart + index] !== right.lines[b.bStart + index]) return false;
  return true;
}

function pushLines(out: string[], lines: readonly string[], from: number, to: number): void {
  for (let index = from; index < to; index++) out.push(lines[index] ?? "");
}
