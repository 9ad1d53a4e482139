import { existsSync, readFileSync } from "node:fs";
import type { ChangeSet, FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import type { ApplyReport } from "../apply/workspace-changes.js";
import { WorkspaceError } from "../error/workspace-error.js";
import type { CommitOptions, CommitReport } from "../git/commit-options.js";
import type { MountLeftOut } from "../mount/host-mount.js";
import {
  type ApplyWorkspaceOptions,
  applyWorkspace,
  noticeReverted,
  type UndoOptions,
  undoWorkspace,
} from "./apply-workspace.js";
import { FollowDirectory, scopeOf } from "./follow-directory.js";
import { diffOf, type FileDiff } from "./hunks.js";
import { InPlace } from "./in-place.js";
import {
  mergeChanges,
  putChanges,
  revertChanges,
  type WorkspaceMergeReport,
} from "./merge-changes.js";
import { readRecord } from "./read-record.js";
import { type RefreshOptions, type RefreshReport, refreshWorkspace } from "./refresh-workspace.js";
import { selectChanges } from "./select-changes.js";
import { compareWorkspace, settleWorkspace } from "./settle-workspace.js";
import { workspaceFilesystem } from "./workspace-filesystem.js";
import { LineStore, type WorkspaceLines } from "./workspace-lines.js";
import {
  checkCall,
  checkOpenOptions,
  type KeepAsOptions,
  notOpened,
  type OpenWorkspaceOptions,
  type SelectOptions,
  type WorkspaceCall,
  type WorkspaceInfo,
} from "./workspace-options.js";
import { isBase, WorkspaceParts } from "./workspace-parts.js";
import { findPlace, makePlace, type WorkspacePlace, workspacePath } from "./workspace-place.js";
import { type AppliedChanges, unreadable } from "./workspace-record.js";
import type { RunOutcome, WorkspaceRun } from "./workspace-run.js";
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
  readonly #lines: LineStore;
  readonly #parts: WorkspaceParts;
  readonly #options: OpenWorkspaceOptions;
  /** The paths that were changed through this object. */
  readonly #touchedHere = new Set<string>();
  #ready: Promise<void> = Promise.resolve();

  private constructor(parts: WorkspaceParts, options: OpenWorkspaceOptions) {
    if (!(parts instanceof WorkspaceParts)) throw notOpened();
    this.#parts = parts;
    this.#options = options;
    this.runs = new WorkspaceRuns(parts.place.runs);
    this.#lines = new LineStore(parts.place, Workspace.#openAt);
    this.lines = this.#lines;
    const { onError = () => {} } = options;
    const follow = options.follow ? new FollowDirectory(parts, onError) : undefined;
    const inPlace = options.inPlace ? new InPlace(this, parts) : undefined;
    this.filesystem = workspaceFilesystem(
      parts,
      {
        ...(follow && { beforeCall: (touched, call) => follow.beforeCall(touched, call) }),
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
    checkOpenOptions(directory, options);
    const place = findPlace(directory, options.stateDirectory);
    return await Workspace.#openAt(place, options);
  }

  /** Where the workspace of a directory is, and whether it exists. Opens and creates nothing. */
  static find(
    directory: string,
    options: Pick<OpenWorkspaceOptions, "stateDirectory"> = {},
  ): WorkspaceInfo {
    checkOpenOptions(directory, options);
    const place = findPlace(directory, options.stateDirectory);
    return Object.freeze({
      directory: place.directory,
      stateDirectory: place.home,
      exists: existsSync(place.record) || existsSync(place.oldRecord),
      runs: new WorkspaceRuns(place.runs),
    });
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
      const { ready } = await settleWorkspace(workspace.#parts, options);
      workspace.#ready = ready;
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

  /** The store of the snapshots, a git repository. */
  get storeDirectory(): string {
    return this.#parts.place.store;
  }

  /**
   * The workspace path of a path of this machine. A relative path is below `from`. Throws if it is outside of the
   * directory.
   */
  pathOf(path: string, from: string = this.directory): string {
    return workspacePath(this.directory, from, path);
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
  async changes(options: SelectOptions = {}): Promise<ChangeSet> {
    return await this.#locked("changes", options, async () => {
      await noticeReverted(this.#parts);
      const changes = await compareWorkspace(this.#parts, options.signal);
      return await selectChanges(changes, options.paths);
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
    return await this.#locked("apply", options, async () => {
      await noticeReverted(this.#parts);
      const changes = await compareWorkspace(this.#parts, options.signal);
      return await applyWorkspace(this.#parts, changes, options);
    });
  }

  /** Commits the changes to a branch of the directory's repository. The directory does not change. */
  async commit(options: CommitOptions): Promise<CommitReport> {
    return await this.#locked("commit", options, async () => {
      const changes = await compareWorkspace(this.#parts, options.signal);
      return await this.#parts.target.commit(changes.entries(), options);
    });
  }

  /** Undoes the last apply or a part of it. Its changes are in the workspace again and can be applied again. */
  async undo(options: UndoOptions = {}): Promise<AppliedChanges> {
    return await this.#locked("undo", options, () => undoWorkspace(this.#parts, options));
  }

  /** Brings changes of the directory into the workspace. Agents' changes stay; both are merged. */
  async refresh(options: RefreshOptions = {}): Promise<RefreshReport> {
    return await this.#locked("refresh", options, async () => {
      await noticeReverted(this.#parts);
      const { paths, ...rest } = options;
      return await refreshWorkspace(this.#parts, paths ? { ...rest, ...scopeOf(paths) } : rest);
    });
  }

  /** Discards changes: the files are as in the directory again. Saves the previous state as the snapshot `keepAs`. */
  async discard(options: SelectOptions & KeepAsOptions): Promise<ChangeSet> {
    return await this.#locked("discard", options, async () => {
      const { paths, keepAs, tag, signal } = options;
      const discarded = await selectChanges(await compareWorkspace(this.#parts, signal), paths);
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
  async restore(snapshot: FilesystemSnapshot, options: KeepAsOptions): Promise<void> {
    await this.#locked("restore", options, async () => {
      const { keepAs, tag = "before the last restore" } = options;
      await this.filesystem.snapshot({ name: keepAs, tag });
      await this.filesystem.restore(snapshot);
    });
  }

  /** Merges changes that were made elsewhere, such as in a container: all or none. */
  async merge(changes: ChangeSet): Promise<WorkspaceMergeReport> {
    return await this.#locked("merge", {}, () => mergeChanges(this.#parts, changes));
  }

  /** Saves changes that were made elsewhere: merged, or as a line of their own if there are conflicts. */
  async keep(changes: ChangeSet): Promise<RunOutcome> {
    if (changes?.isEmpty === true) return { kind: "none", conflicts: [] };
    const { conflicts } = await this.merge(changes);
    if (conflicts.length === 0) return { kind: "merged", conflicts };
    await using run = await this.#lines.startApart(this, this.#lineOptions);
    await run.workspace.#locked("merge", {}, () => putChanges(run.workspace.#parts, changes));
    return { kind: "line", line: run.line, conflicts };
  }

  /**
   * Starts a run. The only active run works on this workspace; a second one works on a copy of the directory of its
   * own. `finish` merges that copy into the workspace, or keeps it as a line.
   */
  async startRun(): Promise<WorkspaceRun> {
    await this.#ready;
    return await this.#lines.start(this, this.#lineOptions);
  }

  get #lineOptions(): OpenWorkspaceOptions {
    const { signal, onProgress, waitMs } = this.#options;
    return { ...this.#parts.record.filter, signal, onProgress, waitMs };
  }

  /** The paths that were changed through this object; `undefined` if any path may have been. */
  get touchedPaths(): readonly string[] | undefined {
    return this.#touchedHere.has("") ? undefined : [...this.#touchedHere];
  }

  async #locked<T>(call: WorkspaceCall, options: object, work: () => Promise<T>): Promise<T> {
    checkCall(call, options);
    await this.#ready;
    return await this.#parts.lock.run(work);
  }
}
