/**
 * V8 searches for a text of up to this length in time that hardly depends on the length. From 250 characters on, a hostile
 * text and literal take the product of their lengths: 33 seconds for 32 MiB.
 */
export const MAX_NEEDLE_CHARACTERS = 64;

/** One `indexOf` cannot be interrupted. For this many characters it takes at most 11 ms. */
const MAX_SEARCH_CHARACTERS = 1024 * 1024;

/** Like `text.indexOf(literal, from)`, in steps between which it can be interrupted. */
export function indexOfLiteral(text: string, literal: string, from: number): number {
  if (literal.length <= MAX_NEEDLE_CHARACTERS && text.length - from <= MAX_SEARCH_CHARACTERS)
    return text.indexOf(literal, from);

  const needle = literal.slice(0, MAX_NEEDLE_CHARACTERS);
  let start = from;
  while (start < text.length) {
    const end = start + MAX_SEARCH_CHARACTERS;
    const position = text.slice(start, end + needle.length - 1).indexOf(needle);
    if (position < 0) start = end;
    else if (text.startsWith(literal, start + position)) return start + position;
    else start += position + 1;
  }
  return -1;
}
