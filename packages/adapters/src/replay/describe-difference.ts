import { type Alike, withoutAlike } from "./alike.js";

const CONTEXT_LINES = 2;
const MOST_LINES = 40;

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
  return [
    ...before.slice(Math.max(0, head - CONTEXT_LINES), head).map((line) => `  ${line}`),
    ...marked("-", before.slice(head, before.length - tail)),
    ...marked("+", after.slice(head, after.length - tail)),
    ...before
      .slice(before.length - tail)
      .slice(0, CONTEXT_LINES)
      .map((line) => `  ${line}`),
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

function marked(mark: string, lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, MOST_LINES).map((line) => `${mark} ${line}`);
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, `${mark} … ${left} more lines`] : shown;
}
