import { MAX_NEEDLE_CHARACTERS } from "./index-of-literal.js";

/** The most frequent characters of source text, most frequent first. */
const COMMON = " etarnsiolcdpumf";

/**
 * The part of `required` to search for first; empty when there is none. V8 searches for the first character of a text, so
 * the part starts with the rarest character.
 */
export function chooseNeedle(required: string): string {
  let start = 0;
  for (let index = 1; index < Math.min(required.length, MAX_NEEDLE_CHARACTERS); index++)
    if (rarity(required, index) > rarity(required, start)) start = index;
  const needle = required.slice(start, start + MAX_NEEDLE_CHARACTERS).replace(OUTER_HALVES, "");
  return needle.isWellFormed() ? needle : "";
}

/** Half a surrogate pair has no UTF-8 form and would never be found in bytes. */
const OUTER_HALVES = /^[\udc00-\udfff]+|[\ud800-\udbff]+$/g;

function rarity(text: string, index: number): number {
  const rank = COMMON.indexOf(text[index] ?? "");
  return rank < 0 ? COMMON.length : rank;
}
