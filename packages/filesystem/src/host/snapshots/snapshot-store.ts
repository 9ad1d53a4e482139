import { randomUUID } from "node:crypto";
import type {
  DriverSnapshots,
  EditedSnapshot,
  SnapshotLabel,
} from "../../driver/driver-snapshots.js";
import type {
  FilesystemSnapshot,
  LeftOut,
  VerifyReport,
} from "../../snapshots/filesystem-snapshot.js";
import { isSnapshotError, SnapshotError } from "../../snapshots/snapshot-error.js";
import type { TreeEntry, TreeView } from "../../snapshots/tree-view.js";
import type { HostRoot } from "../containment/host-root.js";
import { fromStoreError } from "../git-store/from-store-error.js";
import { heldBytes } from "../git-store/reachable.js";
import { encodeSnapshotCommit, type SnapshotCommit } from "../git-store/snapshot-commit.js";
import type { FullJournal } from "../journal/full-journal.js";
import { underLease } from "../process/lease.js";
import { releaseToken } from "../process/process-token.js";
import { runEvery } from "../process/run-every.js";
import { removeIfThere } from "../process/store-io.js";
import { addEntries } from "./add-entries.js";
import { collectGarbage } from "./collect-garbage.js";
import { CHECKPOINTS, type RegisteredSnapshot } from "./snapshot-registry.js";
import { openStoreParts, type SnapshotStoreOptions, type StoreParts } from "./store-parts.js";
import { StoreView } from "./store-view.js";
import { verifySnapshots } from "./verify-snapshots.js";

const LOCK_WAIT_MS = 30_000;

/** The snapshots of one workspace, in git's object format, written without git. */
export class SnapshotStore implements Omit<DriverSnapshots, "fork" | "begin"> {
  readonly #root: HostRoot;
  readonly #parts: StoreParts;
  /** The views that may still be in use although no reference leads to their trees. */
  readonly #views = new Set<WeakRef<StoreView>>();

  constructor(root: HostRoot, options: SnapshotStoreOptions) {
    this.#root = root;
    this.#parts = openStoreParts(root, options);
  }

  /** Records which transaction with `full` is open. */
  get fullJournal(): FullJournal {
    return this.#parts.fullJournal;
  }

  /** The directory of the store. */
  get directory(): string {
    return this.#parts.layout.directory;
  }

  /** Releases everything. A temporary store is removed. */
  close(): void {
    const { objects, workspaceLock, token, session, scanner, layout } = this.#parts;
    runEvery([
      () => objects.close(),
      () => workspaceLock.release(),
      () => releaseToken(token),
      () => removeIfThere(session),
      () => scanner.save({ always: true }),
      () => layout.removeTemporary?.(),
    ]);
  }

  /** Finishes the interrupted restore of an earlier process. Returns whether the workspace is complete. */
  async recover(): Promise<boolean> {
    if (this.#parts.journal.read() === undefined) return true;
    return await this.#guarded("open", () => this.#locked(() => this.#finishJournal()));
  }

  /**
   * Rolls back an uncommitted transaction of a dead process. Returns the number of changes that were logged before
   * it, or `undefined` if there was none.
   */
  async recoverTransaction(takesOver?: string): Promise<number | undefined> {
    const open = this.fullJournal.readAbandoned(takesOver);
    const checkpoint = open && this.#parts.registry.at(open.commitId);
    if (open === undefined || checkpoint?.commit.rootKey !== this.#parts.rootKey) return undefined;
    if (!open.committed) await this.returnTo(checkpoint);
    this.fullJournal.end();
    for (const [name, commitId] of this.#parts.refs.list(CHECKPOINTS))
      if (this.#parts.registry.at(commitId)?.commit.rootKey === this.#parts.rootKey)
        this.#parts.refs.delete(CHECKPOINTS + name);
    return open.position;
  }

  create(label: SnapshotLabel): Promise<FilesystemSnapshot> {
    return this.#guarded("snapshot", async () => {
      await this.#requireFinished();
      return await this.#storing(async () => {
        const { treeId, leftOut } = await this.#capture(label.signal);
        return this.#publish(treeId, leftOut, label);
      });
    });
  }

  list(): readonly FilesystemSnapshot[] {
    return this.#parts.registry.describeAll();
  }

  restore(snapshot: FilesystemSnapshot): Promise<void> {
    return this.#guarded("restore", () => this.#restore(this.#parts.registry.find(snapshot)));
  }

  delete(snapshots: readonly FilesystemSnapshot[]): Promise<void> {
    return this.#guarded("deleteSnapshot", async () => {
      const ids = snapshots.map((snapshot) => this.#parts.registry.findToDelete(snapshot));
      for (const id of ids) this.#parts.registry.delete(id);
      this.#collect();
    });
  }

  heldBytes(snapshots: readonly FilesystemSnapshot[]): number {
    const found = snapshots.map((snapshot) => this.#parts.registry.find(snapshot));
    return heldBytes(
      this.#parts.objects,
      found.map(({ commitId }) => commitId),
    );
  }

  async view(snapshot: FilesystemSnapshot | undefined): Promise<TreeView> {
    if (snapshot !== undefined)
      return this.viewOf(this.#parts.registry.find(snapshot).commit.treeId);
    return await this.#guarded("diff", () =>
      this.#storing(async () => {
        const { treeId } = await this.#capture(undefined);
        this.#parts.objects.settle();
        return this.viewOf(treeId);
      }),
    );
  }

  add(
    entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
    label: SnapshotLabel,
    edited?: EditedSnapshot,
  ): Promise<FilesystemSnapshot> {
    return this.#guarded("importSnapshot", () =>
      this.#storing(async () => {
        const onto = edited && this.#parts.registry.find(edited.onto).commit;
        const base = edited && { treeId: onto?.treeId, removed: edited.removed };
        const treeId = await addEntries(this.#parts.objects, entries, label.signal, base);
        return this.#publish(treeId, onto?.leftOut ?? [], label);
      }),
    );
  }

  verify(): VerifyReport {
    return verifySnapshots(this.#parts.objects, this.#parts.registry);
  }

  /** Saves the current files under a reference that is not listed as a snapshot. */
  checkpoint(): Promise<RegisteredSnapshot> {
    return this.#guarded("begin", async () => {
      await this.#requireFinished();
      return await this.#storing(async () => {
        const { treeId, leftOut } = await this.#capture(undefined);
        const commit = this.#describe(treeId, leftOut, {});
        const commitId = this.#parts.objects.put("commit", encodeSnapshotCommit(commit));
        this.#parts.objects.settle();
        this.#parts.refs.write(CHECKPOINTS + commit.snapshotId, commitId);
        return { commitId, commit };
      });
    });
  }

  returnTo(checkpoint: RegisteredSnapshot): Promise<void> {
    return this.#guarded("rollback", () => this.#restore(checkpoint));
  }

  dropCheckpoint({ commit }: RegisteredSnapshot): void {
    this.#parts.refs.delete(CHECKPOINTS + commit.snapshotId);
  }

  #restore(target: RegisteredSnapshot): Promise<void> {
    return this.#locked(() => this.#parts.restorer.restore(target));
  }

  /** Runs `body` while no other process restores files of the workspace. */
  async #locked<T>(body: () => Promise<T>): Promise<T> {
    const { workspaceLock } = this.#parts;
    if (!(await workspaceLock.acquire(LOCK_WAIT_MS))) throw new SnapshotError("BUSY");
    try {
      return await body();
    } finally {
      workspaceLock.release();
    }
  }

  async #capture(
    signal: AbortSignal | undefined,
  ): Promise<{ treeId: string; leftOut: readonly LeftOut[] }> {
    const { tree, leftOut, unreadable } = await this.#parts.scanner.scan({ storing: true, signal });
    if (unreadable.length > 0) throw new SnapshotError("UNREADABLE", { paths: unreadable });
    return { treeId: tree.treeId, leftOut };
  }

  #publish(treeId: string, leftOut: readonly LeftOut[], label: SnapshotLabel): FilesystemSnapshot {
    const commit = this.#describe(treeId, leftOut, label);
    const commitId = this.#parts.objects.put("commit", encodeSnapshotCommit(commit));
    this.#parts.objects.settle();
    this.#parts.registry.publish(commitId, commit);
    this.#parts.scanner.save({ always: false });
    return this.#parts.registry.describe({ commitId, commit });
  }

  #describe(
    treeId: string,
    leftOut: readonly LeftOut[],
    { tag, name }: SnapshotLabel,
  ): SnapshotCommit {
    return {
      treeId,
      snapshotId: randomUUID(),
      createdAt: new Date().toISOString(),
      sequence: this.#parts.registry.nextSequence(),
      rootKey: this.#parts.rootKey,
      ...(tag === undefined ? {} : { tag }),
      ...(name === undefined ? {} : { name }),
      ...(leftOut.length === 0 ? {} : { leftOut }),
    };
  }

  /** A captured tree. */
  viewOf(treeId: string): StoreView {
    const view = new StoreView(this.#parts.objects, treeId);
    this.#views.add(new WeakRef(view));
    return view;
  }

  #collect(): void {
    const treeIds: string[] = [];
    for (const reference of this.#views) {
      const view = reference.deref();
      if (view === undefined) this.#views.delete(reference);
      else treeIds.push(view.treeId);
    }
    const collected = collectGarbage({
      layout: this.#parts.layout,
      objects: this.#parts.objects,
      refs: this.#parts.refs,
      lock: this.#parts.collectorLock,
      session: this.#parts.session,
      alsoKeep: treeIds,
      fsync: this.#parts.fsync,
    });
    if (collected) this.#parts.scanner.forget();
  }

  /** Runs `body`, which stores objects. They are discarded if it fails. */
  #storing<T>(body: () => Promise<T>): Promise<T> {
    return underLease(this.#parts.layout.leases, this.#parts.collectorLock, async () => {
      try {
        return await body();
      } catch (error) {
        this.#parts.objects.discard();
        this.#parts.scanner.forget();
        throw error;
      }
    });
  }

  /** Nothing is captured while a restore is unfinished. */
  async #requireFinished(): Promise<void> {
    if (!(await this.#parts.workspaceLock.whenFree(LOCK_WAIT_MS))) throw new SnapshotError("BUSY");
    if (!(await this.recover())) throw new SnapshotError("INCOMPLETE");
  }

  async #finishJournal(): Promise<boolean> {
    const commitId = this.#parts.journal.read();
    const target = commitId === undefined ? undefined : this.#parts.registry.at(commitId);
    if (target === undefined) return commitId === undefined;
    try {
      await this.#parts.restorer.restore(target);
      this.#parts.journal.end();
      return true;
    } catch (error) {
      // The restore went as far as possible. The next restore completes it.
      if (isSnapshotError(error)) return false;
      throw error;
    }
  }

  async #guarded<T>(operation: string, body: () => Promise<T>): Promise<T> {
    try {
      this.#root.requireOpen();
      return await body();
    } catch (error) {
      throw fromStoreError(error, operation);
    }
  }
}
