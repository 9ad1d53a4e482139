import { quote } from "../reply/quote.js";
import type { Splice } from "./splice-bytes.js";
import { spliceBytes } from "./splice-bytes.js";
import { formatHunks, type LineChange, splitLines } from "./unified-diff.js";

const NEWLINE = 0x0a;
/** If an edit changes more places than this, the diff shows only the first ones. */
const MAX_CHANGES_SHOWN = 30;

/** More lines than an answer ever shows. Splitting a megabyte of line ends is slow. */
const MAX_LINES_COMPARED = 20_000;

/** A unified diff of the lines that the splices change. The diff shows bytes that are not UTF-8 as U+FFFD; the file keeps them. */
export function editDiff(path: string, before: Uint8Array, splices: readonly Splice[]): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const regions = touchedRegions(before, splices).map(({ start, end, splices: inside }) => {
    const moved = inside.map(({ start: from, end: to, bytes }) => ({
      start: from - start,
      end: to - start,
      bytes,
    }));
    return { start, end, after: spliceBytes(before.subarray(start, end), moved) };
  });
  const name = quote(path).slice(1, -1);
  const header = `--- a/${name}\n+++ b/${name}\n`;
  const from = lineStart(before, linesBack(before, regions[0]?.start ?? 0, 4));
  const to = linesAhead(before, regions.at(-1)?.end ?? 0, 4);
  const lineCount = regions.reduce(
    (sum, { after }) => sum + countLines(after, 0, after.length),
    countLines(before, from, to),
  );
  if (lineCount > MAX_LINES_COMPARED)
    return `${header}@@ ${lineCount.toLocaleString("en")} lines are too many to show @@\n`;

  const skipped = countLines(before, 0, from);
  // Decode only the part that the diff shows, because the file may be large.
  const lines = splitLines(decoder.decode(before.subarray(from, to)));
  const changes = regions.flatMap(({ start, end, after }) => {
    const first = countLines(before, from, start);
    return narrow(
      {
        start: first,
        end: first + splitLines(decoder.decode(before.subarray(start, end))).length,
        lines: splitLines(decoder.decode(after)),
      },
      lines,
    );
  });
  const hunks = formatHunks(lines, changes).replace(
    /^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@$/gm,
    (_, old: string, oldCount = "", now: string, nowCount = "") =>
      `@@ -${Number(old) + skipped}${oldCount} +${Number(now) + skipped}${nowCount} @@`,
  );
  return header + hunks;
}

interface Region {
  readonly start: number;
  end: number;
  readonly splices: Splice[];
}

/** The whole lines around the first splices. Splices on the same line share a region, so its line ends are searched only once. */
function touchedRegions(before: Uint8Array, splices: readonly Splice[]): readonly Region[] {
  const regions: Region[] = [];
  for (const splice of splices) {
    const last = regions.at(-1);
    if (last !== undefined && splice.start < last.end) {
      if (splice.end >= last.end) last.end = lineEnd(before, splice.end);
      last.splices.push(splice);
      continue;
    }
    if (regions.length === MAX_CHANGES_SHOWN) break;
    const start = lineStart(before, splice.start);
    regions.push({ start, end: lineEnd(before, splice.end), splices: [splice] });
  }
  return regions;
}

/** Removes unchanged lines from both ends of a change. */
function narrow(change: LineChange, before: readonly string[]): readonly LineChange[] {
  let { start, end } = change;
  let from = 0;
  let to = change.lines.length;
  while (start < end && from < to && before[start] === change.lines[from]) {
    start++;
    from++;
  }
  while (start < end && from < to && before[end - 1] === change.lines[to - 1]) {
    end--;
    to--;
  }
  return start === end && from === to ? [] : [{ start, end, lines: change.lines.slice(from, to) }];
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

function countLines(bytes: Uint8Array, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) if (bytes[at] === NEWLINE) lines++;
  return lines;
}
