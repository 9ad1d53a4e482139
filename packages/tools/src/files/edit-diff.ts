import { diffText } from "@wink/filesystem";
import { quote } from "../reply/quote.js";
import { type Splice, spliceBytes } from "./byte-edits.js";

const NEWLINE = 0x0a;
/** If an edit changes more lines than this, the diff shows only the first ones. */
const MAX_CHANGES_SHOWN = 30;
/** More than the lines of context in a diff. */
const LINES_AROUND = 4;
/** More lines than an answer ever shows. Splitting a megabyte of line ends is slow. */
const MAX_LINES_COMPARED = 20_000;

/** A unified diff of the lines that the splices change. The diff shows bytes that are not UTF-8 as U+FFFD; the file keeps them. */
export async function editDiff(
  path: string,
  before: Uint8Array,
  splices: readonly Splice[],
): Promise<string> {
  const name = quote(path).slice(1, -1);
  const header = `--- a/${name}\n+++ b/${name}\n`;
  const { shown, end } = firstSplices(before, splices);
  const from = linesBack(before, shown[0]?.start ?? 0, LINES_AROUND);
  const part = before.subarray(from, linesAhead(before, end, LINES_AROUND));
  const after = spliceBytes(
    part,
    shown.map((splice) => ({
      start: splice.start - from,
      end: splice.end - from,
      bytes: splice.bytes,
    })),
  );
  const lineCount = countLines(part, part.length) + countLines(after, after.length);
  if (lineCount > MAX_LINES_COMPARED)
    return `${header}@@ ${lineCount.toLocaleString("en")} lines are too many to show @@\n`;
  // Decode only the part that the diff shows, because the file may be large.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const firstLine = countLines(before, from) + 1;
  return header + (await diffText(decoder.decode(part), decoder.decode(after), { firstLine }));
}

/** The splices of the first changed lines, and the end of the last of these lines. */
function firstSplices(before: Uint8Array, splices: readonly Splice[]) {
  const shown: Splice[] = [];
  let end = 0;
  let changes = 0;
  for (const splice of splices) {
    // A splice on the same line is part of the same change, so its line end is searched only once.
    if (changes === 0 || splice.start >= end) {
      if (changes === MAX_CHANGES_SHOWN) break;
      changes++;
    }
    if (splice.end >= end) end = lineEnd(before, splice.end);
    shown.push(splice);
  }
  return { shown, end };
}

function lineStart(bytes: Uint8Array, index: number): number {
  return index === 0 ? 0 : bytes.lastIndexOf(NEWLINE, index - 1) + 1;
}

function lineEnd(bytes: Uint8Array, index: number): number {
  const newline = bytes.indexOf(NEWLINE, index);
  return newline < 0 ? bytes.length : newline + 1;
}

function linesBack(bytes: Uint8Array, index: number, lines: number): number {
  let start = lineStart(bytes, index);
  for (let line = 0; line < lines && start > 0; line++) start = lineStart(bytes, start - 1);
  return start;
}

function linesAhead(bytes: Uint8Array, index: number, lines: number): number {
  let end = index;
  for (let line = 0; line < lines && end < bytes.length; line++) end = lineEnd(bytes, end);
  return end;
}

function countLines(bytes: Uint8Array, to: number): number {
  let lines = 0;
  for (let at = 0; at < to; at++) if (bytes[at] === NEWLINE) lines++;
  return lines;
}
