import { FilesystemError, isSnapshotError, type TreeChange } from "@wink/filesystem";
import {
  errorCode,
  fromNodeError,
  type OpenHostRootOptions,
  temporaryName,
} from "@wink/filesystem/host";
import { type ApplyConflict, ApplyConflictError } from "../error/apply-error.js";
import { isWorkspaceError, WorkspaceError } from "../error/workspace-error.js";
import type { CommitOptions, CommitReport } from "../git/commit-options.js";
import { AllowedRoots } from "../mount/allowed-roots.js";
import type { MountedPlace } from "../mount/mount-map.js";
import { interrupted, unknownToken } from "./apply-failures.js";
import { ApplyJournal } from "./apply-journal.js";
import { type ApplyPlan, planApply } from "./apply-plan.js";
import { type ProgressOptions, progressOf } from "./apply-progress.js";
import { ForeignChange, type Step, sideOf } from "./apply-step.js";
import { planTimes, planUndoTimes, setTimes, unchangedSince } from "./directory-times.js";
import type { JournalSteps } from "./journal-steps.js";
import type { DirectoryAt } from "./placed-change.js";
import { recoverIn } from "./recover-apply.js";
import { runPossibleSteps, runSteps } from "./run-steps.js";
import { findStateDirectories, openStateDirectory } from "./state-directory.js";
import { carryOutUndo, conflictError, isAboutFile, isPartOf, requireKnown } from "./undo-steps.js";
import type { ApplyOptions, ApplyReport } from "./workspace-changes.js";

export interface HostTargetOptions
  extends Pick<OpenHostRootOptions, "weakContainment" | "networkFilesystem"> {
  readonly allowedHostRoots: readonly string[];
  readonly stateDirectory?: string | undefined;
}

export interface ApplyToHostOptions extends ApplyOptions {
  /** The directory that the workspace has at this path now, if there is one. */
  readonly directoryAt: DirectoryAt;
  /** The undo token to use. @default a new one */
  readonly undoToken?: string | undefined;
  /** Called when everything is planned and can be written, before anything is written. @default not called */
  readonly beforeWriting?: ((planned: ApplyReport) => Promise<void> | void) | undefined;
}

/** Writes changes to the host directories that were mounted, and undoes them. It does not need a workspace. */
export class HostTarget {
  readonly #mounts: readonly MountedPlace[];
  readonly #options: HostTargetOptions;

  constructor(mounts: readonly MountedPlace[], options: HostTargetOptions) {
    this.#mounts = mounts;
    this.#options = options;
  }

  /** Writes all changes or none. Rejects with an `ApplyConflictError`. */
  async apply(changes: readonly TreeChange[], options: ApplyToHostOptions): Promise<ApplyReport> {
    const { dryRun = false, onConflict = "refuse", signal, directoryAt } = options;
    if (onConflict !== "refuse" && onConflict !== "merge")
      throw new WorkspaceError("INVALID_OPTION", {
        subject: "onConflict",
        reason: 'it must be "refuse" or "merge".',
      });
    return await this.#onHost(async (roots) => {
      const mounts = this.#mounts;
      const plan = await planApply(changes, { roots, mounts, onConflict, directoryAt });
      if (dryRun) return reportOf(plan, undefined);
      if (plan.conflicts.length > 0) throw new ApplyConflictError(plan.conflicts);
      signal?.throwIfAborted();
      await options.beforeWriting?.(reportOf(plan, undefined));
      const all = { steps: plan.steps, times: planTimes(plan.steps) };
      const { undoToken: token, onProgress } = options;
      const undoToken = await this.#carryOut(all, roots, { token, onProgress });
      return reportOf(plan, undoToken);
    });
  }

  /** Commits changes to a branch of the repository that the mounts are in. */
  async commit(
    changes: readonly TreeChange[],
    options: CommitOptions,
    expected?: string | undefined,
  ): Promise<CommitReport> {
    // Loaded on first use, because most programs do not need git.
    const { commitChanges } = await import("../git/commit-changes.js");
    const mounts = this.#mounts.map(({ root: { canonical }, path, ...mount }) => ({
      ...mount,
      hostPath: path === "" ? canonical : `${canonical}/${path}`,
    }));
    return await this.#onHost(() => commitChanges({ mounts, changes, expected }, options));
  }

  /**
   * Undoes an apply. Files that are already as before are accepted. Rejects with an `ApplyConflictError`, and changes
   * nothing, if a file was changed since.
   */
  async undo(undoToken: string, { onProgress }: ProgressOptions = {}): Promise<void> {
    await this.#onHost(async (roots) => {
      const { journal, steps, times } = this.#find(undoToken, roots);
      await requireKnown(steps);
      const unchanged = unchangedSince(times);
      try {
        journal.enter("undoing");
        const report = progressOf(steps, onProgress);
        await carryOutUndo(journal, { steps, times: unchanged }, report("write"));
      } catch (cause) {
        if (cause instanceof ApplyConflictError || journal.phase !== "undoing") throw cause;
        throw interrupted("undo", cause);
      } finally {
        journal.release();
      }
    });
  }

  /**
   * Undoes an apply for some of its paths. The apply stays undoable. Until `forget(by)`, `undoable` has the token `by`
   * if and only if this was done.
   */
  async undoPaths(
    undoToken: string,
    isWanted: (path: string) => boolean,
    by: string,
    { onProgress }: ProgressOptions = {},
  ): Promise<void> {
    await this.#onHost(async (roots) => {
      const { steps, times } = this.#find(undoToken, roots);
      const wanted = steps.filter((step) => isPartOf(step, steps, isWanted));
      await requireKnown(wanted);
      const chosen = new Set(wanted);
      const rest = steps.filter((step) => !chosen.has(step) && sideOf(step) !== "before");
      const back = wanted
        .filter((step) => sideOf(step) !== "before")
        .map((step) => ({
          ...step,
          before: step.after,
          after: step.before,
          temporary: temporaryName(),
        }))
        .reverse();
      const all = { steps: back, times: planUndoTimes(back, times, rest) };
      const skips = (step: Step) => !isAboutFile(step);
      await this.#carryOut(all, roots, { token: by, skips, onProgress });
    });
  }

  /** The paths of an apply whose files on the host are as before it. `undefined` if it cannot be undone. */
  async revertedPaths(
    undoToken: string,
    mayDiffer: (path: string) => boolean,
  ): Promise<readonly string[] | undefined> {
    return await this.#onHost(async (roots) => {
      const found = this.#search(undoToken, roots);
      return found?.steps
        .filter((step) => isAboutFile(step) && mayDiffer(step.workspacePath))
        .filter((step) => sideOf(step) === "before")
        .map(({ workspacePath }) => workspacePath);
    });
  }

  /** Completes applies of dead processes. Resolves to the tokens of everything that can be undone. */
  async undoable(): Promise<readonly string[]> {
    return await this.#onHost(async () =>
      this.#journals().flatMap(({ token, phase }) => (phase === "done" ? [token] : [])),
    );
  }

  /** Deletes the undo data of an apply. */
  async forget(undoToken: string): Promise<void> {
    for (const journal of this.#journals())
      if (journal.token === undoToken && journal.phase === "done") await journal.discard();
  }

  #journals(): readonly ApplyJournal[] {
    const directories = findStateDirectories(this.#options.stateDirectory);
    return directories.flatMap((directory) => ApplyJournal.list(directory));
  }

  #search(undoToken: string, roots: AllowedRoots) {
    const journal = this.#journals().find(
      ({ token, phase }) => token === undoToken && phase === "done",
    );
    const loaded = journal?.load(roots.roots);
    return journal && loaded && { journal, ...loaded };
  }

  #find(undoToken: string, roots: AllowedRoots) {
    const found = this.#search(undoToken, roots);
    if (found === undefined) throw unknownToken();
    return found;
  }

  /**
   * Cannot be aborted. A failure rolls back every step. If the rollback fails too, the journal stays for
   * `recoverApply`.
   */
  async #carryOut(
    all: JournalSteps,
    roots: AllowedRoots,
    { token: undoToken, skips, onProgress }: CarryOutOptions,
  ): Promise<string | undefined> {
    if (all.steps.length === 0) return undefined;
    const directory = openStateDirectory(this.#options.stateDirectory);
    const report = progressOf(all.steps, onProgress);
    const given = { undoToken, onProgress: report("save") };
    const journal = await ApplyJournal.create(directory, all, roots.roots, given).catch(
      (error: unknown) => Promise.reject(asConflict(error)),
    );
    const { steps, times } = readable(journal, all, roots);
    try {
      await runSteps(steps, "after", skips, report("write"));
      setTimes(times, "after");
      journal.enter("done");
    } catch (error) {
      let skipped: readonly ApplyConflict[];
      try {
        skipped = await runPossibleSteps(steps, "before");
        await journal.discard();
      } catch (cause) {
        throw interrupted("apply", cause);
      }
      throw error instanceof ForeignChange ? conflictError(error, skipped) : error;
    } finally {
      journal.release();
    }
    await ApplyJournal.prune(directory);
    return journal.token;
  }

  /** Opens the allowed roots again and checks that they are still the directories that were mounted. */
  async #onHost<T>(work: (roots: AllowedRoots) => Promise<T>): Promise<T> {
    const roots = AllowedRoots.open(this.#options.allowedHostRoots, this.#options);
    try {
      for (const { root: mounted } of this.#mounts) {
        const found = roots.roots.find(({ canonical }) => canonical === mounted.canonical);
        if (found?.identity === mounted.identity) continue;
        const reason = "an allowed root is no longer the directory that was mounted";
        throw new FilesystemError("EACCES", { operation: "apply", path: ".", reason });
      }
      await recoverIn(this.#options.stateDirectory, roots.roots);
      return await work(roots);
    } catch (error) {
      if (isWorkspaceError(error)) throw error;
      if (isSnapshotError(error) || errorCode(error) === undefined) throw error;
      throw fromNodeError(error, "apply", ".");
    } finally {
      roots.close();
    }
  }
}

interface CarryOutOptions extends ProgressOptions {
  readonly token: string | undefined;
  readonly skips?: (step: Step) => boolean;
}

/** The steps with large contents read from the journal, because the host's content changes. */
function readable(journal: ApplyJournal, all: JournalSteps, { roots }: AllowedRoots): JournalSteps {
  const isLarge = ({ before, after }: Step) =>
    [before, after].some((side) => side.kind === "file" && side.isLarge);
  return (all.steps.some(isLarge) ? journal.load(roots) : undefined) ?? all;
}

/** A file that changed before the first step. */
function asConflict(error: unknown): unknown {
  return error instanceof ForeignChange ? conflictError(error, []) : error;
}

function reportOf(plan: ApplyPlan, undoToken: string | undefined): ApplyReport {
  const { written, deleted, merged, outside, conflicts } = plan;
  return Object.freeze({ written, deleted, merged, outside, conflicts, undoToken });
}
