import { indexOfLiteral } from "./index-of-literal.js";
import { LineCursor } from "./line-cursor.js";

/** A matching line, as positions in its text. The match is given as positions in the line. */
export interface FoundLine {
  /** The index of the text in the searched batch. */
  readonly textIndex: number;
  /** Counted from 1. */
  readonly lineNumber: number;
  readonly lineStart: number;
  /** Without the line end. */
  readonly lineEnd: number;
  readonly matchStart: number;
  readonly matchEnd: number;
}

/** Adds the matching lines of `text` to `found` until it has `maxLines` lines. */
export type FindLines = (
  text: string,
  textIndex: number,
  maxLines: number,
  found: FoundLine[],
) => void;

/** Searches for a text without a line end. */
export function findLiteral(literal: string): FindLines {
  return (text, textIndex, maxLines, found) => {
    const lines = new LineCursor(text);
    let from = 0;
    while (found.length < maxLines) {
      const position = indexOfLiteral(text, literal, from);
      if (position < 0) return;
      lines.moveTo(position);
      // A literal that ends in \r may have matched the \r of a line end.
      if (position + literal.length <= lines.lineEnd)
        found.push(foundLine(lines, textIndex, position - lines.lineStart, literal.length));
      from = lines.nextLine;
    }
  };
}

/** Tries `pattern` on each line that contains `needle`, which is part of every match. */
export function findByNeedle(pattern: RegExp, needle: string): FindLines {
  return (text, textIndex, maxLines, found) => {
    const lines = new LineCursor(text);
    let from = 0;
    while (found.length < maxLines) {
      const position = indexOfLiteral(text, needle, from);
      if (position < 0) return;
      from = addIfMatching(pattern, lines, position, textIndex, found);
    }
  };
}

/** Tries `pattern` on every line. */
export function findLineByLine(pattern: RegExp): FindLines {
  return (text, textIndex, maxLines, found) => {
    const lines = new LineCursor(text);
    let from = 0;
    while (found.length < maxLines && from < text.length)
      from = addIfMatching(pattern, lines, from, textIndex, found);
  };
}

/** Returns where the next line starts. */
function addIfMatching(
  pattern: RegExp,
  lines: LineCursor,
  position: number,
  textIndex: number,
  found: FoundLine[],
): number {
  lines.moveTo(position);
  const match = pattern.exec(lines.text.slice(lines.lineStart, lines.lineEnd));
  if (match !== null) found.push(foundLine(lines, textIndex, match.index, match[0].length));
  return lines.nextLine;
}

function foundLine(
  lines: LineCursor,
  textIndex: number,
  matchStart: number,
  matchLength: number,
): FoundLine {
  const { lineStart, lineEnd } = lines;
  const matchEnd = matchStart + matchLength;
  return { textIndex, lineNumber: lines.lineNumber(), lineStart, lineEnd, matchStart, matchEnd };
}
