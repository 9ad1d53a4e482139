import type { CallRow, RunOverview, TurnRow } from "../../model/run-overview.js";

/** A part of a turn on the strip. Times in milliseconds. */
interface StripPart {
  readonly kind: "model" | "waiting" | "tool" | "undone" | "failed";
  readonly durationMs: number;
}

export interface StripTurn {
  readonly index: number;
  readonly parts: readonly StripPart[];
  readonly durationMs: number;
  /** From 0 to 1 along the strip. */
  readonly x: number;
  readonly width: number;
  /** The used share of the budget after the turn, from 0. `undefined` without a budget. */
  readonly used: number | undefined;
}

/** Turns in one box when there are more turns than fit. */
const MAX_BOXES = 240;
/** Every turn gets an equal part of half of the strip, so that short turns stay visible. */
const EQUAL_SHARE = 0.5;

/** The turns of a run along the strip. Their widths grow with their time. */
export function stripTurns(overview: RunOverview): readonly StripTurn[] {
  const { turns } = overview;
  const step = Math.max(1, Math.ceil(turns.length / MAX_BOXES));
  const boxes = [];
  for (let at = 0; at < turns.length; at += step) boxes.push(turns.slice(at, at + step));
  const measured = boxes.map((box) => {
    const parts = addUp(box.flatMap((turn) => partsOf(turn, callsOf(overview, turn))));
    const durationMs = parts.reduce((sum, part) => sum + part.durationMs, 0);
    return { index: box[0]?.index ?? 0, parts, durationMs, used: usedShare(overview, box.at(-1)) };
  });
  const total = measured.reduce((sum, { durationMs }) => sum + durationMs, 0);
  let x = 0;
  return measured.map((box) => {
    const own = total > 0 ? box.durationMs / total : 1 / measured.length;
    const width = EQUAL_SHARE / measured.length + (1 - EQUAL_SHARE) * own;
    const placed = { ...box, x, width };
    x += width;
    return placed;
  });
}

function callsOf({ calls }: RunOverview, { firstCall, callCount }: TurnRow): readonly CallRow[] {
  return calls.slice(firstCall, firstCall + callCount);
}

function partsOf(turn: TurnRow, calls: readonly CallRow[]): readonly StripPart[] {
  const modelMs = Math.max(0, (turn.answeredAt ?? turn.askedAt) - turn.askedAt);
  const parts: StripPart[] = [{ kind: "model", durationMs: modelMs }];
  for (const { ranMs, queuedMs, undone, isFailed } of calls) {
    parts.push({ kind: "waiting", durationMs: queuedMs });
    parts.push({ kind: undone ? "undone" : isFailed ? "failed" : "tool", durationMs: ranMs });
  }
  return parts;
}

const ORDER = ["model", "waiting", "tool", "failed", "undone"] as const;

function addUp(parts: readonly StripPart[]): readonly StripPart[] {
  return ORDER.flatMap((kind) => {
    const same = parts.filter((part) => part.kind === kind);
    const durationMs = same.reduce((sum, part) => sum + part.durationMs, 0);
    return same.length > 0 ? [{ kind, durationMs }] : [];
  });
}

/** The used share of the limit that will be reached first. */
function usedShare({ evaluations }: RunOverview, turn: TurnRow | undefined): number | undefined {
  if (turn === undefined) return undefined;
  const { budget = {}, maxTurns = null } =
    evaluations.find(({ run }) => run === turn.run)?.limits ?? {};
  const { total } = turn;
  const shares = [
    share(total.inputTokens + total.outputTokens, budget["tokens"]),
    share(total.costUsd ?? 0, budget["costUsd"]),
    share(turn.totalCalls, budget["toolCalls"]),
    share(turn.turn + 1, maxTurns ?? undefined),
  ].filter((each) => each !== undefined);
  return shares.length > 0 ? Math.max(...shares) : undefined;
}

function share(used: number, limit: number | undefined): number | undefined {
  return limit !== undefined && limit > 0 ? used / limit : undefined;
}
