import type { TimeSlices } from "../content/time-slices.js";

/**
 * Lines `aStart` to `aEnd` of the old text are replaced by lines `bStart` to `bEnd` of the new one. Ends are exclusive.
 */
export interface LineChange {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/** How many edits one search for the middle of a difference tries before it takes the best point so far. */
const MAX_EDITS = 256;
/** If more lines than this remain between the common start and end, they are replaced as a whole. */
const MAX_LINES = 400_000;
/** The maximum steps of all searches together. Lines that are not compared by then are replaced. */
export const MAX_DIFF_STEPS = 20_000_000;
/** How many lines are processed between two checks of the clock. */
const LINES_PER_LOOK = 4_096;

export interface DiffOptions {
  readonly slices: TimeSlices;
  /** Receives the number of steps of the searches, for tests. @default not called */
  readonly onSteps?: ((steps: number) => void) | undefined;
}

/**
 * Returns the differences of two texts, in order. Lines include their newline.
 *
 * Uses Myers' algorithm in linear space with a limit on the work. For very different texts the result is longer than
 * necessary, but always correct and deterministic. Pauses when `slices` requires it.
 */
export async function diffLines(
  a: readonly string[],
  b: readonly string[],
  { slices, onSteps }: DiffOptions,
): Promise<LineChange[]> {
  const start = commonStart(a, b);
  const end = commonEnd(a, b, start);
  const changed = {
    a: new Uint8Array(a.length).fill(1, start, a.length - end),
    b: new Uint8Array(b.length).fill(1, start, b.length - end),
  };
  const left = a.length - end - start;
  const right = b.length - end - start;
  if (left > 0 && right > 0 && left + right <= MAX_LINES) {
    const shared = await sharedLines(a, b, start, end, slices);
    const steps = await markSame(shared.a, shared.b, changed, slices);
    onSteps?.(steps);
  }
  return toChanges(changed);
}

interface Changed {
  readonly a: Uint8Array;
  readonly b: Uint8Array;
}

/** The lines that both texts contain, as numbers, with their positions. Other lines cannot match. */
interface Shared {
  readonly ids: Int32Array;
  readonly places: Int32Array;
}

async function sharedLines(
  a: readonly string[],
  b: readonly string[],
  start: number,
  end: number,
  slices: TimeSlices,
): Promise<{ readonly a: Shared; readonly b: Shared }> {
  const ids = new Map<string, number>();
  for (let index = start; index < a.length - end; index++) {
    if (index % LINES_PER_LOOK === 0 && slices.isOver()) await slices.pause();
    const line = a[index] ?? "";
    if (!ids.has(line)) ids.set(line, ids.size);
  }
  const inBoth = new Uint8Array(ids.size);
  for (let index = start; index < b.length - end; index++) {
    if (index % LINES_PER_LOOK === 0 && slices.isOver()) await slices.pause();
    const id = ids.get(b[index] ?? "");
    if (id !== undefined) inBoth[id] = 1;
  }
  const select = async (lines: readonly string[]): Promise<Shared> => {
    const places: number[] = [];
    const selected: number[] = [];
    for (let index = start; index < lines.length - end; index++) {
      if (index % LINES_PER_LOOK === 0 && slices.isOver()) await slices.pause();
      const id = ids.get(lines[index] ?? "");
      if (id === undefined || inBoth[id] === 0) continue;
      places.push(index);
      selected.push(id);
    }
    return { ids: Int32Array.from(selected), places: Int32Array.from(places) };
  };
  return { a: await select(a), b: await select(b) };
}

/** Clears the marks of unchanged lines. Returns the number of steps. */
async function markSame(
  a: Shared,
  b: Shared,
  changed: Changed,
  slices: TimeSlices,
): Promise<number> {
  const size = a.ids.length + b.ids.length + 3;
  const search: Search = {
    a: a.ids,
    b: b.ids,
    forward: new Int32Array(2 * size),
    backward: new Int32Array(2 * size),
    origin: size,
    steps: 0,
  };
  // Not recursive, because a hostile text could make the recursion as deep as the text is long.
  const boxes: Box[] = [{ aLow: 0, aHigh: a.ids.length, bLow: 0, bHigh: b.ids.length }];
  const keep = (i: number, j: number) => {
    changed.a[a.places[i] ?? 0] = 0;
    changed.b[b.places[j] ?? 0] = 0;
  };
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    let { aLow, aHigh, bLow, bHigh } = box;
    while (aLow < aHigh && bLow < bHigh && a.ids[aLow] === b.ids[bLow]) keep(aLow++, bLow++);
    while (aLow < aHigh && bLow < bHigh && a.ids[aHigh - 1] === b.ids[bHigh - 1])
      keep(--aHigh, --bHigh);
    if (aLow === aHigh || bLow === bHigh || search.steps >= MAX_DIFF_STEPS) continue;
    if (slices.isOver()) await slices.pause();
    const { x, y } = findMiddle(search, { aLow, aHigh, bLow, bHigh });
    boxes.push({ aLow, aHigh: x, bLow, bHigh: y }, { aLow: x, aHigh, bLow: y, bHigh });
  }
  return search.steps;
}

interface Box {
  readonly aLow: number;
  readonly aHigh: number;
  readonly bLow: number;
  readonly bHigh: number;
}

interface Search {
  readonly a: Int32Array;
  readonly b: Int32Array;
  /**
   * By diagonal: how far along `a` the furthest path from the start (`forward`) or from the end (`backward`) has come.
   */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  readonly origin: number;
  /** Steps of all searches so far: tried diagonals, and equal lines on them. */
  steps: number;
}

/**
 * A point on a shortest path through the box, or the best point so far if the search is too long. Never a corner of the
 * box.
 */
function findMiddle(search: Search, box: Box): { readonly x: number; readonly y: number } {
  const { a, b, forward, backward, origin } = search;
  const { aLow, aHigh, bLow, bHigh } = box;
  const n = aHigh - aLow;
  const m = bHigh - bLow;
  const delta = n - m;
  const isOdd = (delta & 1) !== 0;
  forward[origin + 1] = 0;
  backward[origin + 1] = 0;
  for (let d = 0; ; d++) {
    const from = -d + 2 * Math.max(0, d - m);
    const to = d - 2 * Math.max(0, d - n);
    search.steps += to - from + 2;
    for (let k = from; k <= to; k += 2) {
      let x = step(forward, origin + k, k === -d, k === d);
      let y = x - k;
      const first = x;
      while (x < n && y < m && a[aLow + x] === b[bLow + y]) {
        x++;
        y++;
      }
      search.steps += x - first;
      forward[origin + k] = x;
      if (!isOdd || Math.abs(delta - k) > d - 1) continue;
      if (x + at(backward, origin + delta - k) >= n) return { x: aLow + x, y: bLow + y };
    }
    for (let k = from; k <= to; k += 2) {
      let x = step(backward, origin + k, k === -d, k === d);
      let y = x - k;
      const first = x;
      while (x < n && y < m && a[aHigh - 1 - x] === b[bHigh - 1 - y]) {
        x++;
        y++;
      }
      search.steps += x - first;
      backward[origin + k] = x;
      if (isOdd || Math.abs(delta - k) > d) continue;
      if (x + at(forward, origin + delta - k) >= n) return { x: aHigh - x, y: bHigh - y };
    }
    if (d >= MAX_EDITS || search.steps >= MAX_DIFF_STEPS) return furthest(search, box, from, to);
  }
}

function step(reached: Int32Array, index: number, isLowest: boolean, isHighest: boolean): number {
  const below = at(reached, index - 1);
  const above = at(reached, index + 1);
  return isLowest || (!isHighest && below < above) ? above : below + 1;
}

function furthest(
  { forward, origin }: Search,
  { aLow, aHigh, bLow, bHigh }: Box,
  from: number,
  to: number,
): { readonly x: number; readonly y: number } {
  let best = { x: aLow, y: bLow };
  for (let k = from; k <= to; k += 2) {
    const x = aLow + at(forward, origin + k);
    const y = bLow + at(forward, origin + k) - k;
    // Ignore paths that ran past an edge of the box.
    if (x <= aHigh && y <= bHigh && x + y > best.x + best.y) best = { x, y };
  }
  return best;
}

function at(values: Int32Array, index: number): number {
  return values[index] ?? 0;
}

function toChanges({ a, b }: Changed): LineChange[] {
  const changes: LineChange[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const aStart = i;
    const bStart = j;
    while (i < a.length && a[i] === 1) i++;
    while (j < b.length && b[j] === 1) j++;
    if (i > aStart || j > bStart) changes.push({ aStart, aEnd: i, bStart, bEnd: j });
    else {
      i++;
      j++;
    }
  }
  return changes;
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count++;
  return count;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}
