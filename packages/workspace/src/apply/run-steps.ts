import { TimeSlices } from "@wink/filesystem/host";
import type { ApplyConflict } from "../error/apply-error.js";
import type { ApplyJournal } from "./apply-journal.js";
import {
  type Direction,
  ForeignChange,
  type Step,
  settleStep,
  sideOf,
  takeStep,
} from "./apply-step.js";
import { setTimes } from "./directory-times.js";
import type { JournalSteps } from "./journal-steps.js";

/**
 * Takes all steps: forwards to `after`, backwards to `before`. Stops at the first failure. A path that another process
 * changed is a failure unless `skips` accepts its step. Returns the skipped paths.
 *
 * @param onStep called after each step with the number of finished steps
 */
export async function runSteps(
  steps: readonly Step[],
  direction: Direction,
  skips: (step: Step) => boolean = () => false,
  onStep: (count: number) => void = () => {},
): Promise<ApplyConflict[]> {
  const slices = new TimeSlices();
  const skipped: ApplyConflict[] = [];
  let count = 0;
  for (const step of direction === "after" ? steps : steps.toReversed()) {
    try {
      takeStep(step, direction);
    } catch (error) {
      if (!(error instanceof ForeignChange) || !skips(step)) throw error;
      skipped.push(error.conflict);
    }
    onStep(++count);
    if (slices.isOver()) await slices.pause();
  }
  return skipped;
}

/** Takes all steps except those whose path another process changed. */
export async function runPossibleSteps(
  steps: readonly Step[],
  direction: Direction,
): Promise<ApplyConflict[]> {
  return await runSteps(steps, direction, () => true);
}

/** How an interrupted apply was completed. */
export interface RecoveredApply {
  readonly undoToken: string;
  readonly outcome: "finished" | "undone";
  /** Files that another process changed in the meantime. They were not touched. */
  readonly leftAlone: readonly string[];
}

/** Completes an interrupted apply: finishes it if no other process changed a file, otherwise undoes it. */
export async function recoverSteps(
  journal: ApplyJournal,
  { steps, times }: JournalSteps,
): Promise<Omit<RecoveredApply, "undoToken">> {
  for (const step of steps) settleStep(step);
  const isUndoing = journal.phase === "undoing";
  if (!isUndoing && steps.every((step) => sideOf(step) !== undefined)) {
    try {
      await runSteps(steps, "after");
      setTimes(times, "after");
      journal.enter("done");
      journal.release();
      return { outcome: "finished", leftAlone: [] };
    } catch (error) {
      if (!(error instanceof ForeignChange)) throw error;
    }
  }
  const skipped = await runPossibleSteps(steps, "before");
  await journal.discard();
  return { outcome: "undone", leftAlone: skipped.map(({ path }) => path).sort() };
}
