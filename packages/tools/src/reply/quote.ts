import { boundary } from "./clip-text.js";

const LONGEST_QUOTE = 200;

/** A name or path in an answer: quoted, on one line, no longer than can be read. */
export function quote(text: string): string {
  return `'${oneLine(text, LONGEST_QUOTE)}'`;
}

/** A text of somebody else's in one line that writes to no terminal. */
export function oneLine(text: string, maxCharacters: number): string {
  const clean = text
    .slice(0, maxCharacters * 2)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escapeCharacter);
  if (clean.length <= maxCharacters) return clean;
  return `${clean.slice(0, boundary(clean, maxCharacters - 1))}…`;
}

function escapeCharacter(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
