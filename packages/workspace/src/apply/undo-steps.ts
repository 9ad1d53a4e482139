import { paths } from "@wink/filesystem";
import { type ApplyConflict, ApplyConflictError } from "../error/apply-error.js";
import type { ApplyJournal } from "./apply-journal.js";
import { type Direction, ForeignChange, isLeaf, type Step, sideOf } from "./apply-step.js";
import { setTimes } from "./directory-times.js";
import type { JournalSteps } from "./journal-steps.js";
import { runPossibleSteps, runSteps } from "./run-steps.js";

/** Undoes every step. If another process saves a file at the same time, applies the steps again and rejects. */
export async function carryOutUndo(
  journal: ApplyJournal,
  { steps, times }: JournalSteps,
): Promise<void> {
  const sides = new Map<Step, Direction | undefined>(steps.map((step) => [step, sideOf(step)]));
  try {
    await runSteps(steps, "before", (step) => !isAboutFile(step));
    setTimes(times, "before");
    journal.discard();
  } catch (error) {
    if (!(error instanceof ForeignChange)) throw error;
    const applied = steps.filter((step) => sides.get(step) === "after");
    const skipped = await runPossibleSteps(applied, "after");
    journal.enter("done");
    throw conflictError(error, skipped);
  }
}

/** Throws if another program changed a file or link since the apply. The state before the apply is accepted. */
export function requireKnown(steps: readonly Step[]): void {
  const changed = steps.filter((step) => isAboutFile(step) && sideOf(step) === undefined);
  if (changed.length > 0)
    throw new ApplyConflictError(
      changed.map(({ workspacePath }) => ({ path: workspacePath, reason: "changed" })),
    );
}

/** Whether undoing the wanted files includes this step: the step of such a file, or of a directory around it. */
export function isPartOf(
  step: Step,
  steps: readonly Step[],
  isWanted: (path: string) => boolean,
): boolean {
  if (isAboutFile(step)) return isWanted(step.workspacePath);
  const inside = steps.filter(
    (each) => isAboutFile(each) && each.root === step.root && paths.isWithin(each.path, step.path),
  );
  // Undo restores a removed directory if it restores a file in it. Undo removes a created directory only if it removes
  // every file in it.
  return step.after.kind === "absent"
    ? inside.some(({ workspacePath }) => isWanted(workspacePath)) || isWanted(step.workspacePath)
    : inside.every(({ workspacePath }) => isWanted(workspacePath)) &&
        (inside.length > 0 || isWanted(step.workspacePath));
}

/** `skipped` lists the paths that another process changed after this apply had written them. */
export function conflictError(
  { conflict }: ForeignChange,
  skipped: readonly ApplyConflict[],
): ApplyConflictError {
  const others = skipped.filter(({ path }) => path !== conflict.path);
  return new ApplyConflictError(
    [conflict, ...others].sort((a, b) => paths.compareBytes(a.path, b.path)),
  );
}

/** Only files and links are checked before an undo. Directories may have been filled or removed; the undo skips those. */
export function isAboutFile({ before, after }: Step): boolean {
  return isLeaf(before) || isLeaf(after);
}
