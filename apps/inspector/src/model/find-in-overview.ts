import type { CallRow, RunOverview } from "./run-overview.js";

/** The call that an event belongs to. */
export function callAt({ calls, columns }: RunOverview, sequence: number): CallRow | undefined {
  return calls[columns.call[sequence - columns.from] ?? -1];
}

/** The id of the files' state after an event, or `undefined` if the run stores no files. */
export function stateAt({ states }: RunOverview, sequence: number): string | undefined {
  return (states[lastIndex(states, (each) => each.sequence <= sequence)] ?? states[0])?.id;
}

/** The command that continues the run from an event, with the files, state and conversation of that moment. */
export function forkCommand({ summary }: RunOverview, sequence: number): string | undefined {
  if (summary.place === "" || summary.parent !== null) return undefined;
  const agent = summary.agent === null ? "<agent>" : quoted(summary.agent);
  return `wink run ${agent} --from ${quoted(`${summary.place}@${sequence}`)}`;
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./#-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The position of the last item that fulfils a condition, in a list whose first items fulfil it and the others do not.
 * `-1` if none does.
 */
function lastIndex<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = list[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
