import { StepCounter } from "../reply/step-counter.js";

/** One replacement that the model requested. */
export interface TextEdit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

export type EditProblem =
  | { readonly kind: "missing"; readonly edit: number }
  | {
      readonly kind: "ambiguous";
      readonly edit: number;
      readonly places: readonly number[];
      /** Whether the search stopped before it found all places. */
      readonly isCut: boolean;
    }
  | { readonly kind: "too-many"; readonly max: number }
  | { readonly kind: "overlap"; readonly edits: readonly [number, number] };

/** Each replacement uses memory, and a megabyte of one letter has a million places. */
const MAX_REPLACEMENTS = 100_000;

/**
 * Finds where each edit applies. All edits refer to the current content of the file.
 *
 * It compares bytes, so that all other bytes stay unchanged, even if they are not text. Overlapping places count
 * when it checks that a place is unique. `replaceAll` replaces from left to right without overlaps. Long searches
 * yield to the event loop.
 */
export async function planEdits(
  before: Uint8Array,
  edits: readonly TextEdit[],
): Promise<readonly Splice[] | EditProblem> {
  const steps = new StepCounter();
  const encoder = new TextEncoder();
  const planned: (Splice & { readonly edit: number })[] = [];
  for (const [edit, { oldString, newString, replaceAll }] of edits.entries()) {
    const needle = encoder.encode(oldString);
    const places = await findBytes(before, needle, {
      overlapping: !replaceAll,
      maxPlaces: MAX_REPLACEMENTS + 1,
      steps,
    });
    if (places.length === 0) return { kind: "missing", edit };
    if (places.length > 1 && !replaceAll)
      return { kind: "ambiguous", edit, places, isCut: places.length > MAX_REPLACEMENTS };
    if (planned.length + places.length > MAX_REPLACEMENTS)
      return { kind: "too-many", max: MAX_REPLACEMENTS };
    const bytes = encoder.encode(newString);
    for (const start of places) planned.push({ start, end: start + needle.length, bytes, edit });
  }
  planned.sort((one, other) => one.start - other.start);
  for (const [index, splice] of planned.entries()) {
    const next = planned[index + 1];
    if (next !== undefined && next.start < splice.end)
      return { kind: "overlap", edits: [splice.edit, next.edit] };
  }
  return planned;
}

export function isProblem(plan: readonly Splice[] | EditProblem): plan is EditProblem {
  return "kind" in plan;
}

/** Replaces the bytes from `start` to `end` by `bytes`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

export function splicedLength(before: Uint8Array, splices: readonly Splice[]): number {
  return splices.reduce(
    (total, { start, end, bytes }) => total - (end - start) + bytes.length,
    before.length,
  );
}

/** Applies the splices to `before`. They must be sorted and must not overlap. */
export function spliceBytes(before: Uint8Array, splices: readonly Splice[]): Uint8Array {
  const after = new Uint8Array(splicedLength(before, splices));
  let from = 0;
  let to = 0;
  const put = (bytes: Uint8Array) => {
    after.set(bytes, to);
    to += bytes.length;
  };
  for (const { start, end, bytes } of splices) {
    put(before.subarray(from, start));
    put(bytes);
    from = end;
  }
  put(before.subarray(from));
  return after;
}

export interface FindOptions {
  /** Whether to count overlapping matches: then `aaa` contains `aa` twice. Otherwise the search continues after each match. */
  readonly overlapping: boolean;
  /** Stops after this many matches. @default no limit */
  readonly maxPlaces?: number | undefined;
  readonly steps: StepCounter;
}

const WINDOW_BYTES = 128 * 1024;
/** `Buffer.indexOf` is fast for a text of up to this length, however hostile it is. */
const PREFIX_BYTES = 64;
/**
 * Limits the fast search. Each match of the prefix costs as much as comparing 64 bytes, and each byte of the file adds 4 to
 * the budget.
 */
const CANDIDATE_COST = 64;
const MAX_COST_PER_BYTE = 4;

/**
 * Returns all offsets of `needle` in `haystack` in linear time, even for hostile texts. Yields to the event loop as
 * `steps` requires.
 *
 * Ordinary texts are searched for the first bytes of the needle with `Buffer.indexOf`, which is 30 times faster than
 * a loop. A text with too many such places is searched from there on with Knuth–Morris–Pratt.
 */
export async function findBytes(
  haystack: Uint8Array,
  needle: Uint8Array,
  { overlapping, maxPlaces = Number.POSITIVE_INFINITY, steps }: FindOptions,
): Promise<readonly number[]> {
  const search = new ByteSearch(needle, overlapping, maxPlaces);
  if (steps.spend(needle.length)) await steps.pause();
  let start = await findByPrefix(haystack, search, steps);
  for (; start < haystack.length && !search.isDone; start += WINDOW_BYTES) {
    const end = Math.min(haystack.length, start + WINDOW_BYTES);
    search.scan(haystack, start, end);
    if (steps.spend(end - start)) await steps.pause();
  }
  return search.found;
}

/** Searches with `Buffer.indexOf` until its budget is used up. Returns the offset up to which it has searched. */
async function findByPrefix(
  haystack: Uint8Array,
  search: ByteSearch,
  steps: StepCounter,
): Promise<number> {
  // Other runtimes than Node may have no `Buffer`.
  if (typeof globalThis.Buffer !== "function") return 0;
  const { needle, overlapping } = search;
  const bytes = Buffer.from(haystack.buffer, haystack.byteOffset, haystack.byteLength);
  const prefix = needle.subarray(0, PREFIX_BYTES);
  let budget = MAX_COST_PER_BYTE * haystack.length;
  let at = 0;
  while (at < haystack.length && budget > 0 && !search.isDone) {
    const end = Math.min(haystack.length, at + WINDOW_BYTES + prefix.length - 1);
    const offset = bytes.subarray(at, end).indexOf(prefix);
    if (offset < 0) {
      if (steps.spend(end - at)) await steps.pause();
      at += WINDOW_BYTES;
      continue;
    }
    const place = at + offset;
    let same = prefix.length;
    while (same < needle.length && haystack[place + same] === needle[same]) same++;
    const isMatch = same === needle.length;
    if (isMatch) search.found.push(place);
    at = isMatch && !overlapping ? place + needle.length : place + 1;
    budget -= CANDIDATE_COST + same;
    if (steps.spend(offset + CANDIDATE_COST + same)) await steps.pause();
  }
  return at;
}

/** Whether `text` contains `sought`, in linear time. */
export async function includesText(
  text: string,
  sought: string,
  steps: StepCounter,
): Promise<boolean> {
  if (sought.length > text.length) return false;
  if (sought === "") return true;
  const encoder = new TextEncoder();
  const options = { overlapping: true, maxPlaces: 1, steps };
  const places = await findBytes(encoder.encode(text), encoder.encode(sought), options);
  return places.length > 0;
}

class ByteSearch {
  readonly found: number[] = [];
  readonly needle: Uint8Array;
  readonly overlapping: boolean;
  readonly #maxPlaces: number;
  #borders: Int32Array | undefined;
  /** The number of needle bytes that match at the end of the previous window. */
  #matched = 0;

  constructor(needle: Uint8Array, overlapping: boolean, maxPlaces: number) {
    this.needle = needle;
    this.overlapping = overlapping;
    this.#maxPlaces = needle.length === 0 ? 0 : maxPlaces;
  }

  get isDone(): boolean {
    return this.found.length >= this.#maxPlaces;
  }

  scan(haystack: Uint8Array, start: number, end: number): void {
    const { needle } = this;
    this.#borders ??= bordersOf(needle);
    const borders = this.#borders;
    const first = needle[0] ?? 0;
    let matched = this.#matched;
    for (let index = start; index < end; index++) {
      if (matched === 0 && haystack[index] !== first) {
        // The native `indexOf` for a single byte is much faster than this loop.
        const next = haystack.subarray(index, end).indexOf(first);
        if (next < 0) break;
        index += next;
      }
      while (matched > 0 && haystack[index] !== needle[matched])
        matched = borders[matched - 1] ?? 0;
      if (haystack[index] === needle[matched]) matched++;
      if (matched < needle.length) continue;
      this.found.push(index + 1 - needle.length);
      if (this.isDone) return;
      matched = this.overlapping ? (borders[matched - 1] ?? 0) : 0;
    }
    this.#matched = matched;
  }
}

/** The KMP failure table: for each prefix of `needle`, the length of its longest proper prefix that is also its suffix. */
function bordersOf(needle: Uint8Array): Int32Array {
  const borders = new Int32Array(needle.length);
  let length = 0;
  for (let index = 1; index < needle.length; index++) {
    while (length > 0 && needle[index] !== needle[length]) length = borders[length - 1] ?? 0;
    if (needle[index] === needle[length]) length++;
    borders[index] = length;
  }
  return borders;
}
