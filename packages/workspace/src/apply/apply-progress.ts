import type { Step } from "./apply-step.js";
import type { ApplyOptions } from "./workspace-changes.js";

/** How far an apply or an undo is. */
export interface ApplyProgress {
  /** `save`: stores what an undo needs, in a private directory. `write`: changes the directory. */
  readonly phase: "save" | "write";
  /** The changes that are done in this phase: files, links and directories. */
  readonly changeCount: number;
  readonly totalChanges: number;
}

/** The part of the options that an undo has too. */
export type ProgressOptions = Pick<ApplyOptions, "onProgress">;

/** Makes the callbacks for the two phases. They take the number of changes that are done. */
export function progressOf(
  { length: totalChanges }: readonly Step[],
  onProgress: ProgressOptions["onProgress"],
): (phase: ApplyProgress["phase"]) => (changeCount: number) => void {
  return (phase) => (changeCount) => {
    try {
      onProgress?.({ phase, changeCount, totalChanges });
    } catch {
      // The changes must be written or rolled back completely, whatever the caller does.
    }
  };
}
