import type { OpenHostRootOptions } from "../host/containment/open-host-root.js";
import { fromNodeError } from "../host/process/from-node-error.js";
import { type AllowedRoot, AllowedRoots } from "./allowed-roots.js";
import { ApplyJournal } from "./apply-journal.js";
import { type Recovery, recoverSteps } from "./run-steps.js";
import { findStateDirectories } from "./state-directory.js";

export interface RecoverApplyOptions
  extends Pick<OpenHostRootOptions, "weakContainment" | "networkFilesystem"> {
  /** Only changes to these directories are looked at. */
  readonly allowedHostRoots: readonly string[];
  /** As given when the changes were applied. @default every directory that `mountHost` may have chosen */
  readonly stateDirectory?: string | undefined;
}

/** How interrupted changes were completed. */
export interface RecoveredApply extends Recovery {
  readonly undoToken: string;
}

/**
 * Finishes or undoes what a process that died was applying to the host. `mountHost` does so too.
 *
 * Changes are finished, unless another process has changed one of the files since: then the others are
 * put back as they were and that file is left alone.
 */
export async function recoverApply(
  options: RecoverApplyOptions,
): Promise<readonly RecoveredApply[]> {
  const roots = AllowedRoots.open(options.allowedHostRoots, options);
  try {
    return await recoverIn(options.stateDirectory, roots.roots);
  } finally {
    roots.close();
  }
}

export async function recoverIn(
  given: string | undefined,
  roots: readonly AllowedRoot[],
): Promise<readonly RecoveredApply[]> {
  const recovered: RecoveredApply[] = [];
  try {
    const directories = findStateDirectories(given);
    for (const journal of directories.flatMap((directory) => ApplyJournal.list(directory))) {
      if (journal.phase === "done" || !journal.isAbandoned) continue;
      if (journal.phase === "staging") {
        journal.discard();
        continue;
      }
      const steps = journal.steps(roots);
      if (steps === undefined || !journal.claim()) continue;
      try {
        const outcome = await recoverSteps(journal, steps);
        recovered.push(Object.freeze({ undoToken: journal.token, ...outcome }));
      } finally {
        journal.release();
      }
    }
  } catch (error) {
    throw fromNodeError(error, "recover", ".");
  }
  return Object.freeze(recovered);
}
