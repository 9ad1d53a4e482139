import { type CallRow, EVENT_FLAGS, type RunOverview } from "./run-overview.js";

/** Which rows to show. Several mean any of them. */
export type RowFilter = "failed" | "undone" | "changing";

/** A row of the list: an evaluation, a turn, a call, or an event. `index` is its position or, for an event, its number. */
export interface Row {
  readonly kind: "evaluation" | "turn" | "call" | "event";
  readonly index: number;
  readonly depth: 0 | 1 | 2;
  /** `null` for a row that nothing is below. */
  readonly isOpen: boolean | null;
}

export interface RowOptions {
  readonly filters: ReadonlySet<RowFilter>;
  /** Whether a turn or a call shows what is below it. Keys are `rowKey`. */
  isOpen(kind: "turn" | "call", index: number): boolean;
  /** Also show events that repeat another row. @default false */
  readonly all?: boolean | undefined;
  /** If given, only these events, with their turns and calls: the hits of a search. */
  readonly only?: ReadonlySet<number> | undefined;
}

/** The rows of the list, in the order of events. */
export function buildRows(overview: RunOverview, options: RowOptions): readonly Row[] {
  const { columns, turns, calls, evaluations } = overview;
  const events = eventsByOwner(overview, options);
  const rows: Row[] = [];
  const isFiltered = options.filters.size > 0 || options.only !== undefined;
  const addEvents = (list: readonly number[] | undefined, depth: Row["depth"]) => {
    for (const index of list ?? []) rows.push({ kind: "event", index, depth, isOpen: null });
  };
  const addCall = (call: CallRow, depth: 0 | 1): void => {
    const below = events.ofCall.get(call.index);
    if (isFiltered && !matchesCall(call, options) && below === undefined) return;
    const isOpen = options.isOpen("call", call.index);
    rows.push({ kind: "call", index: call.index, depth, isOpen });
    if (isOpen) addEvents(below, depth === 0 ? 1 : 2);
  };
  // Turns, calls outside of turns, and events outside of both, by their first event.
  const outside = calls.filter(({ turn }) => turn === null);
  const starts: { readonly at: number; add(): void }[] = [
    ...turns.map((turn) => ({
      at: turn.from,
      add: () => {
        const own = calls.slice(turn.firstCall, turn.firstCall + turn.callCount);
        const below = own.filter(
          (call) => !isFiltered || matchesCall(call, options) || events.ofCall.has(call.index),
        );
        const loose = events.ofTurn.get(turn.index);
        if (isFiltered && below.length === 0 && loose === undefined) return;
        const isOpen = options.isOpen("turn", turn.index);
        rows.push({ kind: "turn", index: turn.index, depth: 0, isOpen });
        if (!isOpen) return;
        const items = [
          ...below.map((call) => ({ at: call.start, add: () => addCall(call, 1) })),
          ...(loose ?? []).map((at) => ({ at, add: () => addEvents([at], 1) })),
        ];
        for (const item of items.sort((a, b) => a.at - b.at)) item.add();
      },
    })),
    ...outside.map((call) => ({ at: call.start, add: () => addCall(call, 0) })),
    ...(events.loose ?? []).map((at) => ({ at, add: () => addEvents([at], 0) })),
  ];
  if (evaluations.length > 1 && !isFiltered)
    evaluations.forEach((evaluation, index) => {
      const add = () => rows.push({ kind: "evaluation", index, depth: 0, isOpen: null });
      starts.push({ at: evaluation.from + 0.5, add });
    });
  if (columns.type.length === 0) return [];
  for (const start of starts.sort((a, b) => a.at - b.at)) start.add();
  return rows;
}

function eventsByOwner({ columns, turns, calls }: RunOverview, options: RowOptions) {
  const ofCall = new Map<number, number[]>();
  const ofTurn = new Map<number, number[]>();
  const loose: number[] = [];
  const wanted = flagsFor(options.filters);
  const opened = {
    turns: turns.map(({ index }) => options.isOpen("turn", index)),
    calls: calls.map(({ index }) => options.isOpen("call", index)),
  };
  const isFiltered = wanted !== 0 || options.only !== undefined;
  for (let at = 0; at < columns.type.length; at++) {
    const flags = columns.flags[at] ?? 0;
    const sequence = columns.from + at;
    if (options.all !== true && (flags & EVENT_FLAGS.minor) !== 0 && !options.only?.has(sequence))
      continue;
    if (wanted !== 0 && (flags & wanted) === 0) continue;
    if (options.only !== undefined && !options.only.has(sequence)) continue;
    const [call, turn] = [columns.call[at] ?? -1, columns.turn[at] ?? -1];
    // Rows below closed ones are not built, unless a filter asks whether there are any.
    if (call >= 0 && (isFiltered || opened.calls[call])) push(ofCall, call, sequence);
    else if (call < 0 && turn >= 0 && (isFiltered || opened.turns[turn]))
      push(ofTurn, turn, sequence);
    else if (call < 0 && turn < 0) loose.push(sequence);
  }
  return { ofCall, ofTurn, loose };
}

function push(lists: Map<number, number[]>, key: number, sequence: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [sequence]);
  else list.push(sequence);
}

function matchesCall(call: CallRow, { filters, only }: RowOptions): boolean {
  if (only !== undefined) return only.has(call.start) || (call.end !== null && only.has(call.end));
  return (
    (filters.has("failed") && call.isFailed) ||
    (filters.has("undone") && call.undone !== null) ||
    (filters.has("changing") && call.changes > 0)
  );
}

function flagsFor(filters: ReadonlySet<RowFilter>): number {
  let flags = 0;
  for (const filter of filters) flags |= EVENT_FLAGS[filter];
  return flags;
}
