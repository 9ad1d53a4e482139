/**
 * V8 looks for up to this many characters in time that hardly depends on how many they are. From 250
 * on, a text and a literal made for it take the product of their lengths: 33 seconds for 32 MiB.
 */
export const MAX_NEEDLE_CHARACTERS = 64;

/** Nothing interrupts a search under way; in this many characters it takes 11 ms at worst. */
const MAX_SEARCH_CHARACTERS = 1024 * 1024;

/** As `text.indexOf(literal, from)`, in steps between which the search can be interrupted. */
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
