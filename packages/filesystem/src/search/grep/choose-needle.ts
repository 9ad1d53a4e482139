import { MAX_NEEDLE_CHARACTERS } from "./index-of-literal.js";

/** The most common characters of source text, most common first. */
const COMMON = " etarnsiolcdpumf";

/**
 * The part of `required` to look for first; empty when there is none. V8 goes from one occurrence of its first
 * character to the next, so it starts at the character that is the rarest.
 */
export function chooseNeedle(required: string): string {
  let start = 0;
  for (let index = 1; index < Math.min(required.length, MAX_NEEDLE_CHARACTERS); index++)
    if (rarity(required, index) > rarity(required, start)) start = index;
  const needle = required.slice(start, start + MAX_NEEDLE_CHARACTERS).replace(OUTER_HALVES, "");
  return needle.isWellFormed() ? needle : "";
}

/** Half a character has no UTF-8 and would never be found in bytes. */
const OUTER_HALVES = /^[\udc00-\udfff]+|[\ud800-\udbff]+$/g;

function rarity(text: string, index: number): number {
  const rank = COMMON.indexOf(text[index] ?? "");
  return rank < 0 ? COMMON.length : rank;
}
