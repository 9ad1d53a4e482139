import {
  type CallOptions,
  type ChangeSet,
  type Filesystem,
  FilesystemError,
  type FilesystemSnapshot,
  isFilesystemError,
  isSnapshotError,
  type MaybePromise,
  paths,
  type VirtualPath,
} from "@wink/filesystem";
import { errorCode, fromNodeError } from "@wink/filesystem/host";
import type { WorkspaceStates } from "../changes/workspace-state.js";
import { type ApplyConflict, ApplyConflictError } from "../error/apply-error.js";
import { isWorkspaceError } from "../error/workspace-error.js";
import type { CommitOptions, CommitReport } from "../git/commit-options.js";
import { AllowedRoots } from "../mount/allowed-roots.js";
import type { MountHostOptions } from "../mount/host-mount.js";
import type { MountedPlace } from "../mount/mount-map.js";
import { interrupted, unknownToken } from "./apply-failures.js";
import { ApplyJournal, MAX_DONE } from "./apply-journal.js";
import { type ApplyPlan, planApply } from "./apply-plan.js";
import { ForeignChange, type Step, sideOf } from "./apply-step.js";
import { recoverIn } from "./recover-apply.js";
import { runPossibleSteps, runSteps } from "./run-steps.js";
import { findStateDirectories, openStateDirectory } from "./state-directory.js";
import type {
  ApplyOptions,
  ApplyReport,
  ChangesOptions,
  WorkspaceChanges,
} from "./workspace-changes.js";

/** Knows which state the host has, and writes the workspace's later changes to the host. */
export class ApplyBack {
  readonly #filesystem: Filesystem;
  readonly #states: WorkspaceStates;
  readonly #mounts: readonly MountedPlace[];
  readonly #options: MountHostOptions;
  /** The state that the host has. A promise while the first snapshot is being taken. */
  #base: MaybePromise<FilesystemSnapshot>;
  /** The state of the host before each apply, by undo token. */
  readonly #before = new Map<string, FilesystemSnapshot>();
  /** What this workspace committed last, by branch. */
  readonly #branches = new Map<
    string,
    { readonly commitId: string; readonly state: FilesystemSnapshot }
  >();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    filesystem: Filesystem,
    states: WorkspaceStates,
    mounts: readonly MountedPlace[],
    options: MountHostOptions,
    base: MaybePromise<FilesystemSnapshot>,
  ) {
    this.#filesystem = filesystem;
    this.#states = states;
    this.#mounts = mounts;
    this.#options = options;
    this.#base = base;
  }

  changes({ since }: ChangesOptions = {}): WorkspaceChanges {
    return Object.freeze({
      files: async (options: CallOptions = {}) => (await this.#compare(since, options)).files,
      toPatch: async (options: CallOptions = {}) =>
        await (await this.#compare(since, options)).toPatch(),
      apply: (options: ApplyOptions = {}) => this.#inTurn(() => this.#apply(since, options)),
      commit: (options: CommitOptions) => this.#inTurn(() => this.#commit(since, options)),
      undo: (undoToken: string) => this.#inTurn(() => this.#undo(undoToken)),
    });
  }

  async #compare(given: FilesystemSnapshot | undefined, options: CallOptions): Promise<ChangeSet> {
    const from = given ?? (await this.#base);
    // Changes inside a `.git` are never applied, and `git apply` rejects them.
    const set = await this.#states.compare(from, undefined, options);
    return await set.filter((path) => !paths.isInGit(path));
  }

  async #apply(given: FilesystemSnapshot | undefined, options: ApplyOptions): Promise<ApplyReport> {
    const { dryRun = false, onConflict = "refuse", signal } = options;
    if (onConflict !== "refuse" && onConflict !== "merge")
      throw new TypeError('onConflict must be "refuse" or "merge".');
    const now = await this.#states.capture({ signal });
    let isKept = false;
    try {
      const from = given ?? (await this.#base);
      const changes = (await this.#states.compare(from, now, { signal })).entries();
      return await this.#onHost(async (roots) => {
        const plan = await planApply(changes, {
          roots,
          mounts: this.#mounts,
          onConflict,
          hasDirectory: this.#hasDirectory,
        });
        if (dryRun) return reportOf(plan, undefined);
        if (plan.conflicts.length > 0) throw new ApplyConflictError(plan.conflicts);
        signal?.throwIfAborted();
        const undoToken = await this.#carryOut(plan, roots);
        isKept = true;
        await this.#advance(now, undoToken);
        return reportOf(plan, undoToken);
      });
    } finally {
      if (!isKept) await this.#release(now);
    }
  }

  /** Commits what changed since the mount, or since the last commit of this workspace to the same branch. */
  async #commit(
    given: FilesystemSnapshot | undefined,
    options: CommitOptions,
  ): Promise<CommitReport> {
    const { signal, branch } = options;
    // Loaded on first use, because most programs do not need git.
    const { commitChanges } = await import("../git/commit-changes.js");
    const now = await this.#states.capture({ signal });
    let isKept = false;
    try {
      const last = this.#branches.get(branch);
      const from = given ?? last?.state ?? (await this.#base);
      const changes = (await this.#states.compare(from, now, { signal })).entries();
      const mounts = this.#mounts.map(({ root: { canonical }, path, ...mount }) => ({
        ...mount,
        hostPath: path === "" ? canonical : `${canonical}/${path}`,
      }));
      const report = await this.#onHost(() =>
        commitChanges({ mounts, changes, expected: last?.commitId }, options),
      );
      if (report.commitId !== undefined) {
        isKept = true;
        this.#branches.set(branch, { commitId: report.commitId, state: now });
        if (last !== undefined) await this.#release(last.state);
      }
      return Object.freeze(report);
    } finally {
      if (!isKept) await this.#release(now);
    }
  }

  /** Records `now` as the state of the host. The previous state is stored while the apply can be undone. */
  async #advance(now: FilesystemSnapshot, undoToken: string | undefined): Promise<void> {
    const previous = await this.#base;
    this.#base = now;
    if (undoToken === undefined) return await this.#release(previous);
    this.#before.set(undoToken, previous);
    const [oldest] = this.#before;
    if (oldest === undefined || this.#before.size <= MAX_DONE) return;
    this.#before.delete(oldest[0]);
    await this.#release(oldest[1]);
  }

  /** Ignores errors: a state that cannot be released only costs disk space. */
  async #release(state: FilesystemSnapshot): Promise<void> {
    await this.#states.release(state).catch(() => {});
  }

  /**
   * Cannot be aborted. A failure rolls back every step. If the rollback fails too, the journal stays for
   * `recoverApply`.
   */
  async #carryOut(plan: ApplyPlan, roots: AllowedRoots): Promise<string | undefined> {
    if (plan.steps.length === 0) return undefined;
    const directory = openStateDirectory(this.#options.stateDirectory);
    const journal = ApplyJournal.create(directory, plan.steps, roots.roots);
    try {
      await runSteps(plan.steps, "after");
      journal.enter("done");
    } catch (error) {
      let skipped: readonly ApplyConflict[];
      try {
        skipped = await runPossibleSteps(plan.steps, "before");
        journal.discard();
      } catch (cause) {
        throw interrupted("apply", cause);
      }
      throw error instanceof ForeignChange ? conflictError(error, skipped) : error;
    } finally {
      journal.release();
    }
    ApplyJournal.prune(directory);
    return journal.token;
  }

  async #undo(undoToken: string): Promise<void> {
    await this.#onHost(async (roots) => {
      const directories = findStateDirectories(this.#options.stateDirectory);
      const journals = directories.flatMap((directory) => ApplyJournal.list(directory));
      const journal = journals.find(({ token, phase }) => token === undoToken && phase === "done");
      const steps = journal?.steps(roots.roots);
      if (journal === undefined || steps === undefined) throw unknownToken();
      const changed = steps.filter((step) => isAboutFile(step) && sideOf(step) !== "after");
      if (changed.length > 0)
        throw new ApplyConflictError(
          changed.map(({ workspacePath }) => ({ path: workspacePath, reason: "changed" })),
        );
      try {
        journal.enter("undoing");
        await this.#carryOutUndo(journal, steps);
      } catch (cause) {
        if (cause instanceof ApplyConflictError || journal.phase !== "undoing") throw cause;
        throw interrupted("undo", cause);
      } finally {
        journal.release();
      }
    });
    await this.#goBack(undoToken);
  }

  /** Undoes every step. If another process saves a file at the same time, applies the steps again and rejects. */
  async #carryOutUndo(journal: ApplyJournal, steps: readonly Step[]): Promise<void> {
    try {
      await runSteps(steps, "before", (step) => !isAboutFile(step));
      journal.discard();
    } catch (error) {
      if (!(error instanceof ForeignChange)) throw error;
      const skipped = await runPossibleSteps(steps, "after");
      journal.enter("done");
      throw conflictError(error, skipped);
    }
  }

  /** Undoing this apply also invalidates every later one: their base becomes the state before this apply. */
  async #goBack(undoToken: string): Promise<void> {
    const previous = this.#before.get(undoToken);
    if (previous === undefined) return;
    const later = [...this.#before.keys()].slice([...this.#before.keys()].indexOf(undoToken) + 1);
    const replaced = [await this.#base, ...later.map((token) => this.#before.get(token))];
    this.#before.delete(undoToken);
    for (const token of later) this.#before.set(token, previous);
    this.#base = previous;
    for (const state of new Set(replaced))
      if (state !== undefined && state !== previous) await this.#release(state);
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

  readonly #hasDirectory = async (path: VirtualPath): Promise<boolean> => {
    try {
      return (await this.#filesystem.stat(path)).isDirectory;
    } catch (error) {
      if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR")) return false;
      throw error;
    }
  };

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }
}

/** `skipped` lists the paths that another process changed after this apply had written them. */
function conflictError(
  { conflict }: ForeignChange,
  skipped: readonly ApplyConflict[],
): ApplyConflictError {
  const others = skipped.filter(({ path }) => path !== conflict.path);
  return new ApplyConflictError(
    [conflict, ...others].sort((a, b) => paths.compareBytes(a.path, b.path)),
  );
}

/** Only files are checked before an undo. Directories may have been filled or removed; the undo skips those. */
function isAboutFile({ before, after }: Step): boolean {
  return before.kind === "file" || after.kind === "file";
}

function reportOf(plan: ApplyPlan, undoToken: string | undefined): ApplyReport {
  const { written, deleted, merged, outside, conflicts } = plan;
  return Object.freeze({ written, deleted, merged, outside, conflicts, undoToken });
}
