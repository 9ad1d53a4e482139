/** Replaces the lines from `start` to `end` (exclusive) of the old text by `lines`. */
export interface LineChange {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

const CONTEXT_LINES = 3;

/** Splits a text into lines. Each line keeps its line end. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** Formats the hunks of a unified diff. `changes` must be sorted and must not touch each other. */
export function formatHunks(before: readonly string[], changes: readonly LineChange[]): string {
  let text = "";
  let shift = 0;
  for (const group of groupChanges(changes)) {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) continue;
    const from = Math.max(0, first.start - CONTEXT_LINES);
    const to = Math.min(before.length, last.end + CONTEXT_LINES);
    const grown = group.reduce(
      (sum, { start, end, lines }) => sum + lines.length - (end - start),
      0,
    );
    text += `@@ -${range(from, to - from)} +${range(from + shift, to - from + grown)} @@\n`;
    text += hunkBody(before, group, from, to);
    shift += grown;
  }
  return text;
}

function hunkBody(
  before: readonly string[],
  group: readonly LineChange[],
  from: number,
  to: number,
) {
  let text = "";
  let line = from;
  const put = (mark: string, lines: readonly string[]) => {
    for (const each of lines)
      text += each.endsWith("\n") ? mark + each : `${mark}${each}\n\\ No newline at end of file\n`;
  };
  for (const { start, end, lines } of group) {
    put(" ", before.slice(line, start));
    put("-", before.slice(start, end));
    put("+", lines);
    line = end;
  }
  put(" ", before.slice(line, to));
  return text;
}

/** Groups changes into hunks. Changes whose context lines would touch share a hunk. */
function groupChanges(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && change.start - last.end <= 2 * CONTEXT_LINES) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Line numbers count from 1. An empty range names the line before it. */
function range(start: number, length: number): string {
  const first = length === 0 ? start : start + 1;
  return length === 1 ? `${first}` : `${first},${length}`;
}
