import { findOptionProblem } from "@wink/store/internal";
import { TimeSlices } from "../content/time-slices.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import { diffLines, type LineChange } from "./unified-patch-line-diff.js";

const CONTEXT_LINES = 3;

/** Splits a text after each `\n`. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** The `@@` hunks of a unified diff from `before` to `after`. Long work yields to the event loop. */
export async function diffText(
  before: string,
  after: string,
  options: {
    /** The number of the first line, if the texts are a part of a file. @default 1 */
    readonly firstLine?: number | undefined;
  } = {},
): Promise<string> {
  const problem = findOptionProblem(options, ["firstLine"]);
  if (typeof before !== "string" || typeof after !== "string" || problem !== undefined)
    throw invalidArgument("diffText", problem ?? "the arguments must be two strings");
  const { firstLine = 1 } = options;
  return await textHunks(before, after, new TimeSlices(), firstLine - 1);
}

/** The `@@` hunks of a patch from `before` to `after`. Line numbers begin after `skipped` lines. */
export async function textHunks(
  before: string,
  after: string,
  slices: TimeSlices,
  skipped = 0,
): Promise<string> {
  const a = splitLines(before);
  if (slices.isOver()) await slices.pause();
  const b = splitLines(after);
  if (slices.isOver()) await slices.pause();
  const hunks: string[] = [];
  for (const group of groupChanges(await diffLines(a, b, { slices }))) {
    if (slices.isOver()) await slices.pause();
    hunks.push(writeHunk(group, a, b, skipped));
  }
  return hunks.join("");
}

/** Puts changes whose context lines would overlap or touch into one hunk. */
function groupChanges(changes: readonly LineChange[]): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && change.aStart - last.aEnd <= 2 * CONTEXT_LINES) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

function writeHunk(
  group: readonly LineChange[],
  a: readonly string[],
  b: readonly string[],
  skipped: number,
): string {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined) return "";
  const lead = Math.min(CONTEXT_LINES, first.aStart);
  const trail = Math.min(CONTEXT_LINES, a.length - last.aEnd);
  const aStart = first.aStart - lead;
  const bStart = first.bStart - lead;
  const aCount = last.aEnd + trail - aStart;
  const bCount = last.bEnd + trail - bStart;

  const lines = [`@@ -${range(aStart + skipped, aCount)} +${range(bStart + skipped, bCount)} @@\n`];
  let position = aStart;
  for (const change of group) {
    put(lines, " ", a, position, change.aStart);
    put(lines, "-", a, change.aStart, change.aEnd);
    put(lines, "+", b, change.bStart, change.bEnd);
    position = change.aEnd;
  }
  put(lines, " ", a, position, last.aEnd + trail);
  return lines.join("");
}

/** Line numbers start at 1. An empty range has the number of the line before it. */
function range(start: number, count: number): string {
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}

function put(
  out: string[],
  sign: " " | "-" | "+",
  lines: readonly string[],
  from: number,
  to: number,
): void {
  if (from === to) return;
  // One join for all lines: each ends with a newline, except possibly the last of the text.
  out.push(sign, lines.slice(from, to).join(sign));
  if (!lines[to - 1]?.endsWith("\n")) out.push("\n\\ No newline at end of file\n");
}
