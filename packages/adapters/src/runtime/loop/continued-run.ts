import type { EvaluatedRun, Spending } from "@wink/prompt";
import { invalid } from "../context/require-options.js";
import type { LoopState } from "./loop-state.js";

/** The key of the method with which a run can be continued. */
export const CONTINUES = Symbol.for("wink.adapters.continues");

/** What is known about the evaluation that is continued. */
export interface Continuation {
  readonly from: LoopState;
  /** The prompt as `ns/key`, and its hash. */
  readonly prompt: string;
  readonly hash: string;
  /** The limits when it started: deadline in milliseconds since 1970, and what the budget had. */
  readonly limits: {
    readonly maxTurns?: number | undefined;
    readonly deadline?: number | undefined;
    readonly budget?: Readonly<Record<string, number>> | undefined;
  };
  /** What earlier processes used, including subagents. */
  readonly spent: Spending;
  /** The time that earlier processes worked on it. */
  readonly workedMs: number;
  /** Whether the model has given its final answer. */
  readonly isCompleted: boolean;
}

interface ContinuedRun extends EvaluatedRun {
  /** Rejects with `PARKED` and `NOT_RESUMABLE`. `undefined` if the run has no evaluation yet. */
  [CONTINUES](): Promise<Continuation | undefined>;
}

/** How to continue a run. Throws `ARGUMENT_INVALID` if `run` is not a durable run. */
export function continuationOf(run: EvaluatedRun): Promise<Continuation | undefined> {
  if (typeof run === "object" && run !== null && CONTINUES in run)
    return (run as ContinuedRun)[CONTINUES]();
  return Promise.reject(invalid("run", "expected a Run of @wink/adapters/run."));
}
