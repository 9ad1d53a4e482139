import { withoutIgnored } from "./ignored-patterns.js";

const CONTEXT_LINES = 2;
const MAX_LINES = 40;
const MAX_CHARACTERS = 300;
/** How many characters of a long line are shown before the first difference. */
const LEAD_CHARACTERS = 60;

/**
 * Returns the lines in which two values differ: recorded lines with `-`, present lines with `+`.
 * Returns `undefined` if they differ only in matches of `patterns`.
 */
export function describeDifference(
  recorded: unknown,
  present: unknown,
  patterns: readonly RegExp[] = [],
): string | undefined {
  const before = linesOf(recorded);
  const after = linesOf(present);
  const were = before.map((line) => withoutIgnored(line, patterns));
  const are = after.map((line) => withoutIgnored(line, patterns));
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && were[head] === are[head]) head++;
  if (head === before.length && head === after.length) return undefined;
  let tail = 0;
  while (tail < shortest - head && were.at(-1 - tail) === are.at(-1 - tail)) tail++;
  const firstOther = sharedStart(before[head] ?? "", after[head] ?? "");
  return [
    ...marked(" ", before.slice(Math.max(0, head - CONTEXT_LINES), head)),
    ...marked("-", before.slice(head, before.length - tail), firstOther),
    ...marked("+", after.slice(head, after.length - tail), firstOther),
    ...marked(" ", before.slice(before.length - tail).slice(0, CONTEXT_LINES)),
  ].join("\n");
}

/** Sorts the keys and puts each line of a multi-line text on its own line. */
function linesOf(value: unknown): readonly string[] {
  const json = JSON.stringify(
    value,
    (_, inner: unknown) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    2,
  );
  return json.split("\n").flatMap((line) => line.split(/(?<=[^\\](?:\\\\)*\\n)/));
}

/** @param firstOther the index at which the first line differs from its counterpart */
function marked(mark: string, lines: readonly string[], firstOther = 0): readonly string[] {
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line, index) => `${mark} ${shortened(line, index === 0 ? firstOther : 0)}`);
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, `${mark} … ${left} more lines`] : shown;
}

function shortened(line: string, firstOther: number): string {
  if (line.length <= MAX_CHARACTERS) return line;
  const start = Math.max(0, firstOther - LEAD_CHARACTERS);
  const end = start + MAX_CHARACTERS;
  return `${start > 0 ? "…" : ""}${line.slice(start, end)}${end < line.length ? "…" : ""}`;
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
