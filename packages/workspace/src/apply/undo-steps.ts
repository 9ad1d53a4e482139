import { paths } from "@wink/filesystem";
import { TimeSlices } from "@wink/filesystem/host";
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
  onStep: (count: number) => void,
): Promise<void> {
  const sides = await sidesOf(steps);
  try {
    await runSteps(steps, "before", (step) => !isAboutFile(step), onStep);
    setTimes(times, "before");
    await journal.discard();
  } catch (error) {
    if (!(error instanceof ForeignChange)) throw error;
    const applied = steps.filter((_, index) => sides[index] === "after");
    const skipped = await runPossibleSteps(applied, "after");
    journal.enter("done");
    throw conflictError(error, skipped);
  }
}

/** Throws if another program changed a file or link since the apply. The state before the apply is accepted. */
export async function requireKnown(steps: readonly Step[]): Promise<void> {
  const files = steps.filter(isAboutFile);
  const sides = await sidesOf(files);
  const changed = files.filter((_, index) => sides[index] === undefined);
  if (changed.length > 0)
    throw new ApplyConflictError(
      changed.map(({ workspacePath }) => ({ path: workspacePath, reason: "changed" })),
    );
}

/** Which state each path is in. Pauses, because every file is read. */
async function sidesOf(steps: readonly Step[]): Promise<readonly (Direction | undefined)[]> {
  const slices = new TimeSlices();
  const sides: (Direction | undefined)[] = [];
  for (const step of steps) {
    sides.push(sideOf(step));
    if (slices.isOver()) await slices.pause();
  }
  return sides;
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
