import type { Step } from "./apply-step.js";

/** How far an apply or an undo is. */
export interface ApplyProgress {
  /** `save`: stores what an undo needs, in a private directory. `write`: changes the directory. */
  readonly phase: "save" | "write";
  /** The changes that are done in this phase: files, links and directories. */
  readonly changeCount: number;
  readonly totalChanges: number;
}

export interface ProgressOptions {
  /** Called often while the changes are saved and written. What it throws is ignored. @default not called */
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

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
