import { TimeSlice } from "../host/time-slice.js";
import type { ApplyJournal } from "./apply-journal.js";
import { type Direction, ForeignChange, type Step, sideOf, takeStep } from "./apply-step.js";

/** Takes every step; forwards to `after`, backwards to `before`. Stops at the first that fails. */
export async function runSteps(steps: readonly Step[], direction: Direction): Promise<void> {
  const slice = new TimeSlice();
  for (const step of direction === "after" ? steps : steps.toReversed()) {
    takeStep(step, direction);
    if (slice.due) await slice.rest();
  }
}

/** Goes back as far as others have not been there meanwhile. Answers with the workspace paths they changed. */
export async function runStepsBack(steps: readonly Step[]): Promise<string[]> {
  const slice = new TimeSlice();
  const foreign: string[] = [];
  for (const step of steps.toReversed()) {
    try {
      takeStep(step, "before");
    } catch (error) {
      if (!(error instanceof ForeignChange)) throw error;
      foreign.push(error.workspacePath);
    }
    if (slice.due) await slice.rest();
  }
  return foreign.sort();
}

export interface Recovery {
  readonly outcome: "finished" | "undone";
  /** Files that somebody else had changed meanwhile; they were left as they were found. */
  readonly leftAlone: readonly string[];
}

/** Brings interrupted changes to an end: forwards when nobody came in between, otherwise back. */
export async function recoverSteps(
  journal: ApplyJournal,
  steps: readonly Step[],
): Promise<Recovery> {
  const isUndoing = journal.phase === "undoing";
  if (!isUndoing && steps.every((step) => sideOf(step) !== undefined)) {
    await runSteps(steps, "after");
    journal.enter("done");
    journal.release();
    return { outcome: "finished", leftAlone: [] };
  }
  const leftAlone = await runStepsBack(steps);
  journal.discard();
  return { outcome: "undone", leftAlone };
}
