import { fromNodeError } from "../host/from-node-error.js";
import type { OpenHostRootOptions } from "../host/open-host-root.js";
import { type AllowedRoot, AllowedRoots } from "./allowed-roots.js";
import { ApplyJournal } from "./apply-journal.js";
import { type Recovery, recoverSteps } from "./run-steps.js";
import { findStateDirectory } from "./state-directory.js";

export interface RecoverApplyOptions
  extends Pick<OpenHostRootOptions, "weakContainment" | "networkFilesystem"> {
  /** Only changes to these directories are looked at. */
  readonly allowedHostRoots: readonly string[];
  /** As given when the changes were applied. @default a directory of the user's in the system's temporary directory */
  readonly stateDirectory?: string | undefined;
}

/** What became of changes whose application was interrupted. */
export interface RecoveredApply extends Recovery {
  readonly undoToken: string;
}

/**
 * Finishes or undoes what a process that died was applying to the host. `mountHost` does so by itself.
 *
 * Changes are finished, unless somebody has changed one of the files since: then the others are
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
    const stateDirectory = findStateDirectory(given);
    if (stateDirectory === undefined) return recovered;
    for (const journal of ApplyJournal.list(stateDirectory)) {
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
