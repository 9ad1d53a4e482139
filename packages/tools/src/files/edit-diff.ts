import { quote } from "../answers/quote.js";
import type { Splice } from "./splice-bytes.js";
import { spliceBytes } from "./splice-bytes.js";
import { formatHunks, type LineChange, splitLines } from "./unified-diff.js";

const NEWLINE = 0x0a;
/** An edit in more places than this is shown by the first of them. */
const MOST_CHANGES_SHOWN = 30;

/** A unified diff of the lines that the splices touch. What is not UTF-8 is shown as U+FFFD, and only there. */
export function editDiff(path: string, before: Uint8Array, splices: readonly Splice[]): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const regions = touchedRegions(before, splices).slice(0, MOST_CHANGES_SHOWN);
  const from = lineStart(before, linesBack(before, regions[0]?.start ?? 0, 4));
  const to = linesAhead(before, regions.at(-1)?.end ?? 0, 4);
  const skipped = countLines(before, 0, from);
  // Only what can be seen in the diff is decoded; the rest of the file may be large.
  const lines = splitLines(decoder.decode(before.subarray(from, to)));
  const changes = regions.flatMap(({ start, end, splices: inside }) => {
    const region = before.subarray(start, end);
    const moved = inside.map((each) => ({
      ...each,
      start: each.start - start,
      end: each.end - start,
    }));
    const first = countLines(before, from, start);
    return narrow(
      {
        start: first,
        end: first + splitLines(decoder.decode(region)).length,
        lines: splitLines(decoder.decode(spliceBytes(region, moved))),
      },
      lines,
    );
  });
  const hunks = formatHunks(lines, changes).replace(
    /^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@$/gm,
    (_, old: string, oldCount = "", now: string, nowCount = "") =>
      `@@ -${Number(old) + skipped}${oldCount} +${Number(now) + skipped}${nowCount} @@`,
  );
  const name = quote(path).slice(1, -1);
  return `--- a/${name}\n+++ b/${name}\n${hunks}`;
}

interface Region {
  readonly start: number;
  end: number;
  readonly splices: Splice[];
}

/** Whole lines around the splices; two that share a line are one. */
function touchedRegions(before: Uint8Array, splices: readonly Splice[]): readonly Region[] {
  const regions: Region[] = [];
  for (const splice of splices) {
    const start = lineStart(before, splice.start);
    const end = lineEnd(before, splice.end);
    const last = regions.at(-1);
    if (last !== undefined && start < last.end) {
      last.end = Math.max(last.end, end);
      last.splices.push(splice);
    } else regions.push({ start, end, splices: [splice] });
  }
  return regions;
}

/** Without the lines at either end that stay the same. */
function narrow(change: LineChange, before: readonly string[]): readonly LineChange[] {
  let { start, end } = change;
  let lines = [...change.lines];
  while (start < end && lines.length > 0 && before[start] === lines[0]) {
    start++;
    lines = lines.slice(1);
  }
  while (start < end && lines.length > 0 && before[end - 1] === lines.at(-1)) {
    end--;
    lines = lines.slice(0, -1);
  }
  return start === end && lines.length === 0 ? [] : [{ start, end, lines }];
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
  for (
    let at = bytes.indexOf(NEWLINE, from);
    at >= 0 && at < to;
    at = bytes.indexOf(NEWLINE, at + 1)
  )
    lines++;
  return lines;
}
