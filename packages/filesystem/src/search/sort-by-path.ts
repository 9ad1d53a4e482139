import { compareBytes } from "../byte-order.js";
import type { TimeSlices } from "./time-slices.js";

export interface HasPath {
  readonly path: string;
}

/** Sorted this many at a time, which takes one or two milliseconds; then merged with pauses. */
const RUN_LENGTH = 2_048;

/**
 * Orders by path in byte order, pausing as `slices` asks.
 *
 * A walk comes almost in order (only `a-b` stands before `a/x`), so what is in order already is cheap.
 */
export async function sortByPath<T extends HasPath>(
  items: readonly T[],
  slices: TimeSlices,
): Promise<readonly T[]> {
  if (await isSorted(items, slices)) return items;
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += RUN_LENGTH) {
    runs.push(items.slice(start, start + RUN_LENGTH).sort(byPath));
    if (slices.spend(RUN_LENGTH)) await slices.pause();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], slices));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function isSorted(items: readonly HasPath[], slices: TimeSlices): Promise<boolean> {
  let previous: HasPath | undefined;
  for (const item of items) {
    if (previous !== undefined && byPath(previous, item) > 0) return false;
    previous = item;
    if (slices.spend(1 / 16)) await slices.pause();
  }
  return true;
}

async function merge<T extends HasPath>(
  left: readonly T[],
  right: readonly T[],
  slices: TimeSlices,
): Promise<readonly T[]> {
  const lastLeft = left.at(-1);
  const firstRight = right[0];
  if (lastLeft === undefined || firstRight === undefined || byPath(lastLeft, firstRight) <= 0)
    return left.concat(right);

  const merged: T[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    // Both indices were just found to be within their lists.
    const fromLeft = byPath(left[l]!, right[r]!) <= 0;
    merged.push(fromLeft ? left[l++]! : right[r++]!);
    if (slices.spend(1 / 16)) await slices.pause();
  }
  while (l < left.length) merged.push(left[l++]!);
  while (r < right.length) merged.push(right[r++]!);
  return merged;
}

function byPath(a: HasPath, b: HasPath): number {
  return compareBytes(a.path, b.path);
}
