import type {
  CallOptions,
  ChangeSet,
  Filesystem,
  FilesystemSnapshot,
  MaybePromise,
} from "@wink/filesystem";
import type { WorkspaceStates } from "../changes/workspace-state.js";
import { checkOptions } from "../error/check-options.js";
import type { CommitOptions, CommitReport } from "../git/commit-options.js";
import { MAX_DONE } from "./apply-journal.js";
import { findDirectory } from "./find-directory.js";
import type { HostTarget } from "./host-target.js";
import { isNeverApplied } from "./never-applied.js";
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
  readonly #host: HostTarget;
  /** The state that the host has. A promise while the first snapshot is being taken. */
  #base: MaybePromise<FilesystemSnapshot>;
  /** The state of the host before each apply, by undo token. */
  readonly #before = new Map<string, FilesystemSnapshot>();
  /** The last commit of this workspace, by branch. */
  readonly #branches = new Map<
    string,
    { readonly commitId: string; readonly state: FilesystemSnapshot }
  >();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    filesystem: Filesystem,
    states: WorkspaceStates,
    host: HostTarget,
    base: MaybePromise<FilesystemSnapshot>,
  ) {
    this.#filesystem = filesystem;
    this.#states = states;
    this.#host = host;
    this.#base = base;
  }

  changes(given: ChangesOptions = {}): WorkspaceChanges {
    checkOptions("changes", given, ["since"]);
    const { since } = given;
    const compare = async (call: string, options: CallOptions = {}) => {
      checkOptions(call, options, ["signal"]);
      return await this.#compare(since, options);
    };
    return Object.freeze({
      compare: (options?: CallOptions) => compare("compare", options),
      files: async (options?: CallOptions) => (await compare("files", options)).files,
      toPatch: async (options?: CallOptions) => await (await compare("toPatch", options)).toPatch(),
      apply: async (options: ApplyOptions = {}) => {
        checkOptions("apply", options, ["dryRun", "onConflict", "signal", "onProgress"]);
        return await this.#inTurn(() => this.#apply(since, options));
      },
      commit: async (options: CommitOptions) => {
        checkOptions("commit", options, ["branch", "message", "author", "onConflict", "signal"]);
        return await this.#inTurn(() => this.#commit(since, options));
      },
      undo: (undoToken: string) => this.#inTurn(() => this.#undo(undoToken)),
    });
  }

  async #compare(given: FilesystemSnapshot | undefined, options: CallOptions): Promise<ChangeSet> {
    const from = given ?? (await this.#base);
    // `git apply` rejects changes inside a `.git`.
    const set = await this.#states.compare(from, undefined, options);
    return await set.filter((path) => !isNeverApplied(path));
  }

  async #apply(given: FilesystemSnapshot | undefined, options: ApplyOptions): Promise<ApplyReport> {
    const { signal } = options;
    const now = await this.#states.capture({ signal });
    let isKept = false;
    try {
      const from = given ?? (await this.#base);
      const changes = (await this.#states.compare(from, now, { signal })).entries();
      const directoryAt = findDirectory(this.#filesystem);
      const report = await this.#host.apply(changes, { ...options, directoryAt });
      if (options.dryRun) return report;
      isKept = true;
      await this.#advance(now, report.undoToken);
      return report;
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
    const now = await this.#states.capture({ signal });
    let isKept = false;
    try {
      const last = this.#branches.get(branch);
      const from = given ?? last?.state ?? (await this.#base);
      const changes = (await this.#states.compare(from, now, { signal })).entries();
      const report = await this.#host.commit(changes, options, last?.commitId);
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

  /** Undoing this apply also invalidates every later one: their base becomes the state before this apply. */
  async #undo(undoToken: string): Promise<void> {
    await this.#host.undo(undoToken);
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

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }
}
