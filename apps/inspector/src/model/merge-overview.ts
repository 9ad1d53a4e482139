import type { EventColumns, Position, RunOverview } from "./run-overview.js";

/** The part of an overview that a reader with this position does not have, or may have in an old form. */
export function overviewSince(overview: RunOverview, since: Position): RunOverview {
  // Everything before the first turn or call that is still open has its final form.
  const { turns, calls, columns, lastSequence } = overview;
  const isKnown =
    since.events <= lastSequence && since.turns <= turns.length && since.calls <= calls.length;
  if (!isKnown) return overview;
  const turnCount = Math.max(0, since.turns - 1);
  const from = Math.min(turns[turnCount]?.from ?? Number.POSITIVE_INFINITY, since.events + 1);
  let callCount = since.calls;
  while (callCount > 0 && isOpen(overview, callCount - 1, from)) callCount--;
  const first = Math.min(from, calls[callCount]?.start ?? from);
  return {
    ...overview,
    since: { turns: turnCount, calls: callCount },
    turns: turns.slice(turnCount),
    calls: calls.slice(callCount),
    columns: sliceColumns(columns, Math.max(columns.from, first)),
  };
}

function isOpen({ calls }: RunOverview, index: number, from: number): boolean {
  const call = calls[index];
  return call !== undefined && (call.end === null || call.end >= from);
}

function sliceColumns(columns: EventColumns, from: number): EventColumns {
  const at = from - columns.from;
  return {
    ...{ from, types: columns.types, type: columns.type.slice(at), call: columns.call.slice(at) },
    ...{
      turn: columns.turn.slice(at),
      flags: columns.flags.slice(at),
      time: columns.time.slice(at),
    },
  };
}

/** Adds the answer for a position to what the reader had at that position. */
export function mergeOverview(known: RunOverview, added: RunOverview): RunOverview {
  const { since, columns } = added;
  const kept = columns.from - known.columns.from;
  if (since.turns === 0 && since.calls === 0 && kept <= 0) return added;
  // A long list is not spread as arguments, because engines limit their number.
  const join = <T>(before: readonly T[], count: number, after: readonly T[]): readonly T[] =>
    before.slice(0, count).concat(after);
  return {
    ...added,
    since: { turns: 0, calls: 0 },
    turns: join(known.turns, since.turns, added.turns),
    calls: join(known.calls, since.calls, added.calls),
    columns: {
      ...{ from: known.columns.from, types: columns.types },
      type: join(known.columns.type, kept, columns.type),
      call: join(known.columns.call, kept, columns.call),
      turn: join(known.columns.turn, kept, columns.turn),
      flags: join(known.columns.flags, kept, columns.flags),
      time: join(known.columns.time, kept, columns.time),
    },
  };
}
