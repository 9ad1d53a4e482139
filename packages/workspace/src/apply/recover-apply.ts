import { fromNodeError, type OpenHostRootOptions } from "@wink/filesystem/host";
import { type AllowedRoot, AllowedRoots } from "../mount/allowed-roots.js";
import { checkRoots } from "../mount/check-mounts.js";
import { ApplyJournal } from "./apply-journal.js";
import { type RecoveredApply, recoverSteps } from "./run-steps.js";
import { findStateDirectories } from "./state-directory.js";

export interface RecoverApplyOptions
  extends Pick<OpenHostRootOptions, "weakContainment" | "networkFilesystem"> {
  /** Only journals for these directories are recovered. */
  readonly allowedHostRoots: readonly string[];
  /** The `stateDirectory` that was given to `mountHost`. @default every directory that `mountHost` may have chosen */
  readonly stateDirectory?: string | undefined;
}

/**
 * Finishes or undoes the applies of processes that died. `mountHost` does this too.
 *
 * An apply is finished, unless another process has since changed one of its files. Then the other files are restored
 * and that file stays as it is.
 */
export async function recoverApply(
  options: RecoverApplyOptions,
): Promise<readonly RecoveredApply[]> {
  checkRoots(options);
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
        await journal.discard();
        continue;
      }
      const loaded = journal.load(roots);
      if (loaded === undefined || !journal.claim()) continue;
      try {
        const outcome = await recoverSteps(journal, loaded);
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
