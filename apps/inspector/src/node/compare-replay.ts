import { compareRuns } from "../model/compare-runs.js";
import { compareRequests, type RequestDifference } from "../model/request-difference.js";
import type { RunOverview } from "../model/run-overview.js";
import type { RunSource } from "../source/run-source.js";

/** The difference between a replay and its recording. */
export interface ReplayComparison {
  /** How many requests are equal. */
  readonly equal: number;
  readonly recorded: number;
  /** The first request that differs, by its turn from 0. `null` if the recording still replays. */
  readonly first: {
    readonly turn: number;
    /** The event to open in the recorded run. */
    readonly sequence: number;
    /** `null` if only one of the runs makes this request. */
    readonly difference: RequestDifference | null;
  } | null;
}

/** Compares the requests of run `0` with those of run `1`. */
export async function compareReplay(source: RunSource): Promise<ReplayComparison> {
  const [left, right] = [await source.overview("0"), await source.overview("1")];
  const { firstRequest: first } = compareRuns(left, right);
  const recorded = left.turns.length;
  if (first === null) return { equal: recorded, recorded, first: null };
  const turn = first.left ?? first.right ?? 0;
  const sequence = left.turns[turn]?.from ?? left.lastSequence;
  const isOneSided = first.left === null || first.right === null;
  const difference = isOneSided
    ? null
    : await compareRequests(
        await requestOf(source, left, turn),
        await requestOf(source, right, turn),
      );
  return { equal: turn, recorded, first: { turn, sequence, difference } };
}

async function requestOf(source: RunSource, { summary, turns }: RunOverview, turn: number) {
  const sequence = turns[turn]?.from ?? 0;
  const prompt = await source.prompt(summary.key, turn);
  return {
    prompt,
    messages: (from: number, to: number) => source.messages(summary.key, sequence, from, to),
  };
}
