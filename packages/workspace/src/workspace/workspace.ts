import { existsSync, readFileSync } from "node:fs";
import {
  type ChangeSet,
  type FilesystemSnapshot,
  paths as pathRules,
  type SnapshotableFilesystem,
} from "@wink/filesystem";
import type { ApplyReport } from "../apply/workspace-changes.js";
import { WorkspaceError } from "../error/workspace-error.js";
import type { CommitOptions, CommitReport } from "../git/commit-options.js";
import type { MountLeftOut } from "../mount/host-mount.js";
import {
  type ApplyWorkspaceOptions,
  applyWorkspace,
  noticeReverted,
  settlePending,
  type UndoOptions,
  undoWorkspace,
} from "./apply-workspace.js";
import { copyWorkspace } from "./copy-workspace.js";
import { below, FollowDirectory } from "./follow-directory.js";
import { diffOf, type FileDiff } from "./hunks.js";
import { InPlace } from "./in-place.js";
import { type MergeReport, mergeChanges, revertChanges } from "./merge-changes.js";
import { readRecord } from "./read-record.js";
import { type RefreshOptions, type RefreshReport, refreshWorkspace } from "./refresh-workspace.js";
import { selectChanges } from "./select-changes.js";
import { workspaceFilesystem } from "./workspace-filesystem.js";
import { WorkspaceLines } from "./workspace-lines.js";
import type { OpenWorkspaceOptions, RestoreOptions, SelectOptions } from "./workspace-options.js";
import { isBase, WorkspaceParts } from "./workspace-parts.js";
import { findPlace, makePlace, type WorkspacePlace } from "./workspace-place.js";
import { type AppliedChanges, unreadable } from "./workspace-record.js";
import type { WorkspaceRun } from "./workspace-run.js";
import { WorkspaceRuns } from "./workspace-runs.js";

/**
 * A user's directory and the agents' copy of it, on disk and for any number of processes.
 *
 * Agents change the copy. Only `apply` and `undo` change the directory, and a kill at any moment leaves the old or the
 * new state. It holds files open, so `close` it.
 */
export class Workspace implements AsyncDisposable {
  /** The copy. Its transactions wait for those of other processes. */
  readonly filesystem: SnapshotableFilesystem;
  readonly runs: WorkspaceRuns;
  readonly lines: WorkspaceLines;
  readonly #parts: WorkspaceParts;
  readonly #options: OpenWorkspaceOptions;
  /** The paths that were changed through this object. */
  readonly #touchedHere = new Set<string>();
  #ready: Promise<void> = Promise.resolve();

  private constructor(parts: WorkspaceParts, options: OpenWorkspaceOptions) {
    this.#parts = parts;
    this.#options = options;
    this.runs = new WorkspaceRuns(parts.place.runs);
    this.lines = new WorkspaceLines(parts.place, Workspace.#openAt);
    const follow = options.follow
      ? new FollowDirectory(parts, options.onError ?? (() => {}))
      : undefined;
    const inPlace = options.inPlace ? new InPlace(this, parts) : undefined;
    this.filesystem = workspaceFilesystem(
      parts,
      {
        ...(follow && {
          beforeCall: (touched, operation) => follow.beforeCall(touched, operation),
        }),
        ...(inPlace && {
          beforeCommit: () => inPlace.beforeCommit(),
          afterCommit: () => inPlace.afterCommit(),
          afterRollback: () => inPlace.afterRollback(),
        }),
      },
      (path) => this.#touchedHere.add(path),
    );
  }

  /**
   * Opens the workspace of a directory, and copies the directory if it has none. Each directory, by its real path, has
   * one workspace per state directory. Finishes or rolls back what a killed process had started.
   */
  static async open(directory: string, options: OpenWorkspaceOptions = {}): Promise<Workspace> {
    const place = findPlace(directory, options.stateDirectory);
    return await Workspace.#openAt(place, options);
  }

  /** Whether a directory has a workspace. */
  static exists(directory: string, options: Pick<OpenWorkspaceOptions, "stateDirectory"> = {}) {
    const { record, oldRecord } = findPlace(directory, options.stateDirectory);
    return existsSync(record) || existsSync(oldRecord);
  }

  static async #openAt(place: WorkspacePlace, options: OpenWorkspaceOptions): Promise<Workspace> {
    const known = readRecord(place);
    if (known?.phase === "ready" && !(existsSync(place.files) && existsSync(place.store)))
      throw unreadable("a part of it is missing");
    if (known === undefined && options.create === false)
      throw new WorkspaceError("NO_WORKSPACE", {
        subject: "workspace",
        reason: "the directory has none yet. Open it with `create`.",
      });
    makePlace(place);
    const workspace = new Workspace(await WorkspaceParts.open(place, options.waitMs), options);
    try {
      await workspace.#settle();
      return workspace;
    } catch (error) {
      await workspace.close();
      throw error;
    }
  }

  /** The real path of the user's directory. */
  get directory(): string {
    return this.#parts.place.directory;
  }

  /** Where the workspace is stored. Private to the user. */
  get stateDirectory(): string {
    return this.#parts.place.home;
  }

  /** How many files and bytes of the directory were copied. */
  get copied(): { readonly fileCount: number; readonly totalBytes: number } {
    return this.#parts.record.copied;
  }

  /** What can be undone, oldest first. */
  get applied(): readonly AppliedChanges[] {
    return this.#parts.record.applied;
  }

  /** The files of the directory that were not copied, and why. */
  leftOut(): readonly MountLeftOut[] {
    const { leftOut } = this.#parts.place;
    return existsSync(leftOut) ? JSON.parse(readFileSync(leftOut, "utf8")) : [];
  }

  async close(): Promise<void> {
    await this.#ready.catch(() => {});
    await this.#parts.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The agents' changes since the files were copied or last applied. Changes inside a `.git` are excluded. */
  async changes({ paths, signal }: SelectOptions = {}): Promise<ChangeSet> {
    return await this.#locked(async () => {
      await noticeReverted(this.#parts);
      return await selectChanges(await this.#compare(signal), paths);
    });
  }

  /** The changes with their hunks, for `apply({ hunks })`. */
  async diff(options: SelectOptions = {}): Promise<readonly FileDiff[]> {
    const changes = await this.changes(options);
    return await Promise.all(changes.entries().map(diffOf));
  }

  /** A unified patch for `git apply` in the directory. */
  async toPatch(options: SelectOptions = {}): Promise<string> {
    return await (await this.changes(options)).toPatch();
  }

  /**
   * Writes changes to the directory, all or none. Rejects with an `ApplyConflictError` that lists every file that also
   * changed in the directory. Changes that a person reverted are applied again.
   */
  async apply(options: ApplyWorkspaceOptions = {}): Promise<ApplyReport> {
    return await this.#locked(async () => {
      await noticeReverted(this.#parts);
      return await applyWorkspace(this.#parts, await this.#compare(options.signal), options);
    });
  }

  /** Commits the changes to a branch of the directory's repository. The directory does not change. */
  async commit(options: CommitOptions): Promise<CommitReport> {
    return await this.#locked(async () =>
      this.#parts.target.commit((await this.#compare(options.signal)).entries(), options),
    );
  }

  /** Undoes the last apply or a part of it. Its changes are in the workspace again and can be applied again. */
  async undo(options: UndoOptions = {}): Promise<AppliedChanges> {
    return await this.#locked(() => undoWorkspace(this.#parts, options));
  }

  /** Brings changes of the directory into the workspace. Agents' changes stay; both are merged. */
  async refresh({ paths, ...options }: RefreshOptions = {}): Promise<RefreshReport> {
    return await this.#locked(async () => {
      await noticeReverted(this.#parts);
      if (paths === undefined) return await refreshWorkspace(this.#parts, options);
      const normal = paths.map(
        (path) => pathRules.normalizePath(path, { operation: "refresh" }).path,
      );
      const scopes = normal.map(below);
      return await refreshWorkspace(this.#parts, {
        ...options,
        wants: (path, isDirectory) => scopes.some(({ wants }) => wants?.(path, isDirectory)),
        covers: (path) => scopes.some(({ covers }) => covers?.(path)),
        lists: (path) => scopes.some(({ lists }) => lists?.(path)),
      });
    });
  }

  /** Discards changes: the files are as in the directory again. Saves the previous state as the snapshot `keepAs`. */
  async discard({
    paths,
    keepAs,
    tag,
    signal,
  }: SelectOptions & RestoreOptions): Promise<ChangeSet> {
    return await this.#locked(async () => {
      const discarded = await selectChanges(await this.#compare(signal), paths);
      if (discarded.isEmpty) return discarded;
      await this.filesystem.snapshot({ name: keepAs, tag: tag ?? "before changes were discarded" });
      await revertChanges(this.#parts, discarded);
      return discarded;
    });
  }

  /** The user's snapshots, newest first, without the workspace's own. */
  async snapshots(): Promise<readonly FilesystemSnapshot[]> {
    return (await this.filesystem.snapshots()).filter((snapshot) => !isBase(snapshot));
  }

  /** Restores a snapshot in the workspace, and saves the previous state as the snapshot `keepAs`. */
  async restore(
    snapshot: FilesystemSnapshot,
    { keepAs, tag = "before the last restore" }: RestoreOptions,
  ): Promise<void> {
    await this.#locked(async () => {
      await this.filesystem.snapshot({ name: keepAs, tag });
      await this.filesystem.restore(snapshot);
    });
  }

  /** Merges changes that were made elsewhere, such as in a container: all or none. */
  async merge(changes: ChangeSet): Promise<MergeReport> {
    return await this.#locked(() => mergeChanges(this.#parts, changes));
  }

  /**
   * Starts a run. The only active run works on this workspace; a second one works on a copy of the directory of its
   * own. `finish` merges that copy into the workspace, or keeps it as a line.
   */
  async startRun(): Promise<WorkspaceRun> {
    await this.#ready;
    const { signal, onProgress, waitMs } = this.#options;
    const { filter } = this.#parts.record;
    return await this.lines.start(this, { ...filter, signal, onProgress, waitMs });
  }

  /** The paths that were changed through this object; `undefined` if any path may have been. */
  get touchedPaths(): readonly string[] | undefined {
    return this.#touchedHere.has("") ? undefined : [...this.#touchedHere];
  }

  /** One comparison: of the touched paths, or of everything if a program may have changed any path. */
  async #compare(signal: AbortSignal | undefined): Promise<ChangeSet> {
    const { host, touched, base } = this.#parts;
    const paths = touched.read();
    const set = await host.diff(base, undefined, { signal, ...(paths && { paths }) });
    return await set.filter((path) => !pathRules.isInGit(path));
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    await this.#ready;
    return await this.#parts.lock.run(work);
  }

  /** Ends what a killed process had started, and copies the directory if it is new. */
  async #settle(): Promise<void> {
    const parts = this.#parts;
    const { include, exclude, includeSecrets, includeIgnored } = this.#options;
    const given = { include, exclude, includeSecrets, includeIgnored };
    const isGiven = Object.values(given).some((value) => value !== undefined);
    const { phase, pending, inPlace, filter } = parts.record;
    const isSettled = phase === "ready" && pending === null && !inPlace;
    const isSame = !isGiven || JSON.stringify(given) === JSON.stringify(filter);
    if (isSettled && isSame && existsSync(parts.place.record)) return;
    const release = await parts.lock.take();
    try {
      if (parts.record.phase !== "ready") {
        const { done } = await copyWorkspace(parts, given, this.#options);
        // The first comparison waits for the snapshot; the caller need not.
        this.#ready = done.finally(release);
        this.#ready.catch(() => {});
        return;
      }
      await settlePending(parts);
      if (parts.record.inPlace) await this.#copyInPlaceResult();
      if (!isSame) await refreshWorkspace(parts, { filter: given });
    } finally {
      if (parts.record.phase === "ready") release();
    }
  }

  /** The directory has the result of a call whose transaction may have been rolled back by a kill. */
  async #copyInPlaceResult(): Promise<void> {
    const parts = this.#parts;
    await revertChanges(parts, await this.#compare(undefined));
    await refreshWorkspace(parts, {});
    parts.save({ inPlace: false });
  }
}
