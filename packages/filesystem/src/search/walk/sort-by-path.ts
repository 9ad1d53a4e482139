import type { TimeSlices } from "../../content/time-slices.js";
import { compareBytes } from "../../path/byte-order.js";

export interface HasPath {
  readonly path: string;
}

/** How many paths are processed between two checks of the clock. This takes one or two milliseconds. */
const STEP = 2_048;

/**
 * Sorts by path in byte order, with the pauses that `slices` asks for. The sort is stable.
 *
 * A plain sort would block the process for a tenth of a second per 100,000 paths.
 */
export async function sortByPath<T extends HasPath>(
  items: readonly T[],
  slices: TimeSlices,
): Promise<readonly T[]> {
  if (await isSortedByPath(items, slices)) return items;
  const compare = (await reachesBeyond(items, slices)) ? byBytes : byUnits;
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += STEP) {
    runs.push(items.slice(start, start + STEP).sort(compare));
    if (slices.isOver()) await slices.pause();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare, slices));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function isSortedByPath(items: readonly HasPath[], slices: TimeSlices): Promise<boolean> {
  for (let index = 1; index < items.length; index++) {
    // Both indices are within the list.
    if (byBytes(items[index - 1]!, items[index]!) > 0) return false;
    if (index % STEP === 0 && slices.isOver()) await slices.pause();
  }
  return true;
}

/** Whether a path contains a character that sorts differently by bytes and by UTF-16 units. */
async function reachesBeyond(items: readonly HasPath[], slices: TimeSlices): Promise<boolean> {
  for (let start = 0; start < items.length; start += STEP) {
    if (items.slice(start, start + STEP).some(({ path }) => BEYOND.test(path))) return true;
    if (slices.isOver()) await slices.pause();
  }
  return false;
}

type Compare = (a: HasPath, b: HasPath) => number;

async function merge<T extends HasPath>(
  left: readonly T[],
  right: readonly T[],
  compare: Compare,
  slices: TimeSlices,
): Promise<readonly T[]> {
  const lastLeft = left.at(-1);
  const firstRight = right[0];
  if (lastLeft === undefined || firstRight === undefined || compare(lastLeft, firstRight) <= 0)
    return left.concat(right);

  const merged: T[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    // The loop condition checked both indices.
    const fromLeft = compare(left[l]!, right[r]!) <= 0;
    merged.push(fromLeft ? left[l++]! : right[r++]!);
    if (merged.length % STEP === 0 && slices.isOver()) await slices.pause();
  }
  return merged.concat(left.slice(l), right.slice(r));
}

function byBytes(a: HasPath, b: HasPath): number {
  return compareBytes(a.path, b.path);
}

/** The same order as {@link byBytes} but faster. Only if no path contains a character from U+D800 on. */
function byUnits(a: HasPath, b: HasPath): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

const BEYOND = /[\ud800-\uffff]/;
