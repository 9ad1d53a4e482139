import type { StepCounter } from "../reply/step-counter.js";

export interface FindOptions {
  /** Whether to count overlapping matches: then `aaa` contains `aa` twice. Otherwise the search continues after each match. */
  readonly overlapping: boolean;
  /** Stops after this many matches. @default no limit */
  readonly maxPlaces?: number | undefined;
  readonly steps: StepCounter;
}

const WINDOW_BYTES = 128 * 1024;

/**
 * Returns all offsets of `needle` in `haystack` in linear time (Knuth–Morris–Pratt), even for hostile texts.
 * Yields to the event loop as `steps` requires.
 *
 * `indexOf` is O(n × m) for texts that are designed to slow it down.
 */
export async function findBytes(
  haystack: Uint8Array,
  needle: Uint8Array,
  { overlapping, maxPlaces = Number.POSITIVE_INFINITY, steps }: FindOptions,
): Promise<readonly number[]> {
  const search = new ByteSearch(needle, overlapping, maxPlaces);
  if (steps.spend(needle.length)) await steps.pause();
  for (let start = 0; start < haystack.length && !search.isDone; start += WINDOW_BYTES) {
    search.scan(haystack, start, Math.min(haystack.length, start + WINDOW_BYTES));
    if (steps.spend(WINDOW_BYTES)) await steps.pause();
  }
  return search.found;
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
  readonly #needle: Uint8Array;
  readonly #borders: Int32Array;
  readonly #overlapping: boolean;
  readonly #maxPlaces: number;
  /** The number of needle bytes that match at the end of the previous window. */
  #matched = 0;

  constructor(needle: Uint8Array, overlapping: boolean, maxPlaces: number) {
    this.#needle = needle;
    this.#borders = bordersOf(needle);
    this.#overlapping = overlapping;
    this.#maxPlaces = needle.length === 0 ? 0 : maxPlaces;
  }

  get isDone(): boolean {
    return this.found.length >= this.#maxPlaces;
  }

  scan(haystack: Uint8Array, start: number, end: number): void {
    const needle = this.#needle;
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
      matched = this.#overlapping ? (borders[matched - 1] ?? 0) : 0;
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
