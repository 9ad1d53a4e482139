import type { CallRow, RunOverview, TurnRow } from "./run-overview.js";

/** The turn that an event belongs to, or the last one before it. */
export function turnAt({ turns, columns }: RunOverview, sequence: number): TurnRow | undefined {
  const own = columns.turn[sequence - columns.from] ?? -1;
  return turns[own] ?? turns[lastIndex(turns, ({ from }) => from <= sequence)];
}

/** The call that an event belongs to. */
export function callAt({ calls, columns }: RunOverview, sequence: number): CallRow | undefined {
  return calls[columns.call[sequence - columns.from] ?? -1];
}

/** The id of the files' state after an event, or `undefined` if the run stores no files. */
export function stateAt({ states }: RunOverview, sequence: number): string | undefined {
  return (states[lastIndex(states, (each) => each.sequence <= sequence)] ?? states[0])?.id;
}

/** The event to select for a turn or a call: where its effects are visible. */
export function eventOf(row: TurnRow | CallRow): number {
  return "toolCallId" in row ? (row.end ?? row.start) : row.to;
}

/** Two pinned events. The page compares the state after `a` with the state after `b`. */
export interface Pins {
  readonly a: number;
  readonly b: number;
}

/** `call`: by the call of the event. `turn`: by its turn. `start`: since the start of the run. */
export function presetPins(
  overview: RunOverview,
  preset: "call" | "turn" | "start",
  sequence: number,
): Pins {
  const call = callAt(overview, sequence);
  if (preset === "call")
    return call === undefined
      ? { a: Math.max(0, sequence - 1), b: sequence }
      : { a: call.start, b: call.end ?? overview.lastSequence };
  const turn = turnAt(overview, sequence);
  if (preset === "turn" && turn !== undefined) return { a: Math.max(0, turn.from - 1), b: turn.to };
  return { a: 0, b: sequence };
}

/** The next call after an event that a filter accepts, or the previous one. */
export function nextCall(
  { calls }: RunOverview,
  sequence: number,
  direction: 1 | -1,
  accepts: (call: CallRow) => boolean = () => true,
): CallRow | undefined {
  return direction === 1
    ? calls.find((call) => call.start > sequence && accepts(call))
    : calls.findLast((call) => (call.end ?? call.start) < sequence && accepts(call));
}

/** Which process wrote an event. */
export function processAt({ processes }: RunOverview, sequence: number) {
  return processes[lastIndex(processes, ({ from }) => from <= sequence)] ?? processes[0];
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
