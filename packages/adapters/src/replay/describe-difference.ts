import { type Alike, withoutAlike } from "./alike.js";

const CONTEXT_LINES = 2;
const MOST_LINES = 40;
const MOST_CHARACTERS = 300;
/** How much of a long line is shown before the place where it differs. */
const LEAD_CHARACTERS = 60;

/**
 * The lines in which two values differ, recorded ones with `-`, present ones with `+`;
 * `undefined` when they differ in nothing but what is `alike`.
 */
export function describeDifference(
  recorded: unknown,
  present: unknown,
  alike: Alike = [],
): string | undefined {
  const before = linesOf(recorded);
  const after = linesOf(present);
  const were = before.map((line) => withoutAlike(line, alike));
  const are = after.map((line) => withoutAlike(line, alike));
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

/** Keys in order, and every line of a text on a line of its own. */
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

/** @param firstOther where the first of the lines differs from its counterpart */
function marked(mark: string, lines: readonly string[], firstOther = 0): readonly string[] {
  const shown = lines
    .slice(0, MOST_LINES)
    .map((line, index) => `${mark} ${shortened(line, index === 0 ? firstOther : 0)}`);
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, `${mark} … ${left} more lines`] : shown;
}

function shortened(line: string, firstOther: number): string {
  if (line.length <= MOST_CHARACTERS) return line;
  const start = Math.max(0, firstOther - LEAD_CHARACTERS);
  const end = start + MOST_CHARACTERS;
  return `${start > 0 ? "…" : ""}${line.slice(start, end)}${end < line.length ? "…" : ""}`;
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
