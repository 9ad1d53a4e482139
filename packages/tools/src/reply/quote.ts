import { boundary } from "./clip-text.js";

const MAX_QUOTE_CHARACTERS = 200;

/** Formats a name or path for an answer: in quotes, on one line, clipped. */
export function quote(text: string): string {
  return `'${oneLine(text, MAX_QUOTE_CHARACTERS)}'`;
}

const MAX_PATH_CHARACTERS = 2_000;

/** Formats a path that is on a separate line. */
export function pathLine(path: string): string {
  return oneLine(path, MAX_PATH_CHARACTERS);
}

/** Makes an untrusted text one line, with control characters escaped so that it cannot affect a terminal. */
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
