import { type CallRow, EVENT_FLAGS, type RunKey, type TurnRow } from "../../model/run-overview.js";
import type { Range, Route } from "../route/route.js";
import type { RunIndex } from "./run-index.js";

/** The selected row, with the event whose state all tabs show. */
export interface Selection {
  readonly run: RunKey;
  readonly kind: "turn" | "call" | "event";
  readonly index: number;
  /** The event after which files, state and conversation are shown. */
  readonly sequence: number;
  readonly turn: TurnRow | undefined;
  readonly call: CallRow | undefined;
}

const KINDS = { t: "turn", c: "call", e: "event" } as const;

/** Splits `0.41:c2` into run, kind and index. */
export function parseAt(
  at: string,
  root: RunKey,
): { readonly run: RunKey; readonly kind: Selection["kind"]; readonly index: number } {
  const [, run, letter = "e", index] = /^(?:([\d.]+):)?([tce])(\d+)$/.exec(at) ?? [];
  // The expression matches only these letters.
  return { run: run ?? root, kind: KINDS[letter as keyof typeof KINDS], index: Number(index ?? 0) };
}

/** The selection of a run. An unknown row becomes the last event. */
export function select(
  index: RunIndex,
  { kind, index: position }: Pick<Selection, "kind" | "index">,
): Selection {
  const { overview } = index;
  const run = overview.summary.key;
  const turn = overview.turns[position];
  if (kind === "turn" && turn !== undefined)
    return { run, kind, index: position, sequence: turn.to, turn, call: undefined };
  const call = overview.calls[position];
  if (kind === "call" && call !== undefined) {
    const sequence = call.end ?? overview.lastSequence;
    const of = call.turn === null ? undefined : overview.turns[call.turn];
    return { run, kind, index: position, sequence, turn: of, call };
  }
  const sequence = Math.min(position, overview.lastSequence);
  const callOf = index.callOf(sequence);
  const turnOf = index.turnOf(sequence);
  return {
    ...{ run, kind: "event", index: sequence, sequence },
    turn: turnOf === undefined ? undefined : overview.turns[turnOf],
    call: callOf === undefined ? undefined : overview.calls[callOf],
  };
}

/** Where a run opens: at its first failed or undone call, else at its last one. */
export function firstSelection(index: RunIndex): string {
  const { overview } = index;
  const problem = overview.firstProblem === null ? undefined : index.callOf(overview.firstProblem);
  if (problem !== undefined) return `c${problem}`;
  const last = overview.calls.at(-1);
  return last === undefined ? `e${overview.lastSequence}` : `c${last.index}`;
}

/** The newest row of a run in progress: the call of its last event, or the event if it has a row. */
export function lastSelection(index: RunIndex): Pick<Selection, "kind" | "index"> {
  const { lastSequence } = index.overview;
  const call = index.callOf(lastSequence);
  if (call !== undefined) return { kind: "call", index: call };
  const turn = index.turnOf(lastSequence);
  const isMinor = (index.flagsOf(lastSequence) & EVENT_FLAGS.minor) !== 0;
  if (turn !== undefined && isMinor) return { kind: "turn", index: turn };
  return { kind: "event", index: lastSequence };
}

/** The files after event `a` compared with the files after event `b`. */
export interface Span {
  readonly a: number;
  readonly b: number;
}

/** The two events that the Changes and State tabs compare. */
export function spanOf(
  selection: Selection,
  { range, a, b, tab }: Pick<Route, "range" | "a" | "b" | "tab">,
): Span {
  const { sequence, call, turn } = selection;
  if (range === "pins") return { a: a ?? 0, b: b ?? sequence };
  if (range === "start") return { a: 0, b: sequence };
  if (turn !== undefined && (range === "turn" || call === undefined))
    return { a: turn.from - 1, b: turn.to };
  // Changes of files become visible with the end event of their call, so calls that ran at the same time are not
  // included. Events change the session when they are dispatched.
  if (call?.end != null) return { a: (tab === "state" ? call.start : call.end) - 1, b: call.end };
  return { a: Math.max(sequence - 1, 0), b: sequence };
}

/** The ranges that make sense for a selection. */
export function rangesOf({ call, turn }: Selection): readonly Range[] {
  return [
    ...(call ? (["call"] as const) : []),
    ...(turn ? (["turn"] as const) : []),
    "start",
    "pins",
  ];
}
