import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { HostRoot } from "../host/host-root.js";
import type { DriverSnapshots, SnapshotLabel } from "../snapshots/driver-snapshots.js";
import type {
  FilesystemSnapshot,
  LeftOut,
  VerifyReport,
} from "../snapshots/filesystem-snapshot.js";
import { isSnapshotError, SnapshotError } from "../snapshots/snapshot-error.js";
import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import { addEntries } from "./add-entries.js";
import { type CapturePolicyOptions, capturePolicy } from "./capture-policy.js";
import { collectGarbage } from "./collect-garbage.js";
import { fromStoreError } from "./from-store-error.js";
import { FullJournal } from "./full-journal.js";
import { underLease } from "./lease.js";
import { ObjectDatabase } from "./object-database.js";
import { SHA1 } from "./object-format.js";
import { releaseToken, takeToken } from "./owner.js";
import { ProcessLock } from "./process-lock.js";
import { heldBytes } from "./reachable.js";
import { RefFiles } from "./ref-files.js";
import { removeStore } from "./remove-store.js";
import { RestoreJournal } from "./restore-journal.js";
import { encodeSnapshotCommit, type SnapshotCommit } from "./snapshot-commit.js";
import { CHECKPOINTS, type RegisteredSnapshot, SnapshotRegistry } from "./snapshot-registry.js";
import { StatCacheFile } from "./stat-cache.js";
import { removeIfThere } from "./store-io.js";
import { openLayout, rootKeyOf, type StoreLayout } from "./store-layout.js";
import { StoreView } from "./store-view.js";
import { verifySnapshots } from "./verify-snapshots.js";
import { WorkspaceRestorer } from "./workspace-restorer.js";
import { WorkspaceScanner } from "./workspace-scanner.js";

export interface SnapshotStoreOptions extends CapturePolicyOptions {
  /**
   * Where snapshots are kept, outside the workspace and for us alone: a directory that is empty, not there
   * yet, or a store already. @default a temporary one, removed on `close`
   */
  readonly storeDirectory?: string | undefined;
  /** What snapshots say they are of. @default the canonical path of the workspace */
  readonly rootPath?: string | undefined;
  /** Whether a snapshot is on the disk, and not only on its way there, when it is reported as done. @default true */
  readonly fsync?: boolean | undefined;
}

const LOCK_WAIT_MS = 30_000;

/** The states of one workspace, in git's object format, written without git. */
export class SnapshotStore implements Omit<DriverSnapshots, "fork" | "begin"> {
  /** Says which transaction of the whole state is open. */
  readonly fullJournal: FullJournal;
  readonly #root: HostRoot;
  readonly #layout: StoreLayout;
  readonly #rootKey: string;
  readonly #fsync: boolean;
  readonly #objects: ObjectDatabase;
  readonly #refs: RefFiles;
  readonly #registry: SnapshotRegistry;
  readonly #scanner: WorkspaceScanner;
  readonly #restorer: WorkspaceRestorer;
  readonly #journal: RestoreJournal;
  readonly #workspaceLock: ProcessLock;
  readonly #collectorLock: ProcessLock;
  readonly #token: string;
  readonly #session: string;
  /** What somebody may still be reading although no reference leads there. */
  readonly #views = new Set<WeakRef<StoreView>>();

  constructor(root: HostRoot, options: SnapshotStoreOptions) {
    const { path } = root;
    const layout = openLayout(path, options.storeDirectory);
    const fsync = options.fsync ?? true;
    const policy = capturePolicy(options);
    this.#root = root;
    this.#layout = layout;
    this.#fsync = fsync;
    this.#rootKey = rootKeyOf(path);
    this.#objects = new ObjectDatabase(layout.objects, { format: SHA1, fsync });
    this.#refs = new RefFiles(layout.directory, { format: SHA1, fsync });
    this.#registry = new SnapshotRegistry(this.#objects, this.#refs, {
      key: this.#rootKey,
      path: options.rootPath ?? path,
    });
    const cache = layout.temporary
      ? undefined
      : new StatCacheFile(`${layout.caches}/${this.#rootKey}`);
    this.#scanner = new WorkspaceScanner({
      root,
      rootKey: this.#rootKey,
      objects: this.#objects,
      policy,
      cache,
      generationPath: layout.generation,
    });
    this.#journal = new RestoreJournal(`${layout.journals}/${this.#rootKey}`, SHA1, fsync);
    this.fullJournal = new FullJournal(`${layout.journals}/${this.#rootKey}.transaction`, fsync);
    this.#restorer = new WorkspaceRestorer({
      root,
      objects: this.#objects,
      scanner: this.#scanner,
      journal: this.#journal,
      fsync,
    });
    this.#workspaceLock = new ProcessLock(`${layout.locks}/${this.#rootKey}`);
    this.#collectorLock = new ProcessLock(`${layout.locks}/collector`);
    this.#token = takeToken();
    this.#session = `${layout.sessions}/${this.#token}`;
    writeFileSync(this.#session, "", { mode: 0o600 });
  }

  /** Where it is. */
  get directory(): string {
    return this.#layout.directory;
  }

  /** Lets go of everything; a temporary store is removed. */
  close(): void {
    this.#objects.close();
    this.#workspaceLock.release();
    releaseToken(this.#token);
    removeIfThere(this.#session);
    if (this.#layout.temporary) removeStore(this.#layout.directory);
    else this.#scanner.save({ always: true });
  }

  /** Goes on with what an earlier process left unfinished. Answers whether the workspace is where it should be. */
  async recover(): Promise<boolean> {
    if (this.#journal.read() === undefined) return true;
    return await this.#guarded("open", async () => {
      await this.#workspaceLock.acquire(LOCK_WAIT_MS);
      try {
        return await this.#finishJournal();
      } finally {
        this.#workspaceLock.release();
      }
    });
  }

  /**
   * Takes back a transaction that a process that is no more had not ended. Answers with the
   * number of logged changes that came before it; `undefined` when there was none.
   */
  async recoverTransaction(): Promise<number | undefined> {
    const open = this.fullJournal.readAbandoned();
    const checkpoint = open && this.#registry.at(open.commitId);
    if (open === undefined || checkpoint?.commit.rootKey !== this.#rootKey) return undefined;
    await this.returnTo(checkpoint);
    this.fullJournal.end();
    for (const [name, commitId] of this.#refs.list(CHECKPOINTS))
      if (this.#registry.at(commitId)?.commit.rootKey === this.#rootKey)
        this.#refs.delete(CHECKPOINTS + name);
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
    return this.#registry.describeAll();
  }

  restore(snapshot: FilesystemSnapshot): Promise<void> {
    return this.#guarded("restore", () => this.#restore(this.#registry.find(snapshot)));
  }

  delete(snapshots: readonly FilesystemSnapshot[]): Promise<void> {
    return this.#guarded("deleteSnapshot", async () => {
      const found = snapshots.map((snapshot) => this.#registry.find(snapshot));
      for (const each of found) this.#registry.delete(each);
      this.#collect();
    });
  }

  heldBytes(snapshots: readonly FilesystemSnapshot[]): number {
    const found = snapshots.map((snapshot) => this.#registry.find(snapshot));
    return heldBytes(
      this.#objects,
      found.map(({ commitId }) => commitId),
    );
  }

  async view(snapshot: FilesystemSnapshot | undefined): Promise<TreeView> {
    if (snapshot !== undefined) return this.#openView(this.#registry.find(snapshot).commit.treeId);
    return await this.#guarded("diff", () =>
      this.#storing(async () => {
        const { treeId } = await this.#capture(undefined);
        this.#objects.settle();
        return this.#openView(treeId);
      }),
    );
  }

  add(
    entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
    label: SnapshotLabel,
  ): Promise<FilesystemSnapshot> {
    return this.#guarded("importSnapshot", () =>
      this.#storing(async () => {
        const treeId = await addEntries(this.#objects, entries, label.signal);
        return this.#publish(treeId, [], label);
      }),
    );
  }

  verify(): VerifyReport {
    return verifySnapshots(this.#objects, this.#registry.list());
  }

  /** Keeps the files as they are now under a reference that is in no list. */
  checkpoint(): Promise<RegisteredSnapshot> {
    return this.#guarded("begin", async () => {
      await this.#requireFinished();
      return await this.#storing(async () => {
        const { treeId, leftOut } = await this.#capture(undefined);
        const commit = this.#describe(treeId, leftOut, {});
        const commitId = this.#objects.put("commit", encodeSnapshotCommit(commit));
        this.#objects.settle();
        this.#refs.write(CHECKPOINTS + commit.snapshotId, commitId);
        return { commitId, commit };
      });
    });
  }

  returnTo(checkpoint: RegisteredSnapshot): Promise<void> {
    return this.#guarded("rollback", () => this.#restore(checkpoint));
  }

  dropCheckpoint({ commit }: RegisteredSnapshot): void {
    this.#refs.delete(CHECKPOINTS + commit.snapshotId);
  }

  async #restore(target: RegisteredSnapshot): Promise<void> {
    await this.#workspaceLock.acquire(LOCK_WAIT_MS);
    try {
      await this.#restorer.restore(target);
    } finally {
      this.#workspaceLock.release();
    }
  }

  async #capture(
    signal: AbortSignal | undefined,
  ): Promise<{ treeId: string; leftOut: readonly LeftOut[] }> {
    const { tree, leftOut, unreadable } = await this.#scanner.scan({ storing: true, signal });
    if (unreadable.length > 0) throw new SnapshotError("UNREADABLE", { paths: unreadable });
    return { treeId: tree.treeId, leftOut };
  }

  #publish(treeId: string, leftOut: readonly LeftOut[], label: SnapshotLabel): FilesystemSnapshot {
    const commit = this.#describe(treeId, leftOut, label);
    const commitId = this.#objects.put("commit", encodeSnapshotCommit(commit));
    this.#objects.settle();
    this.#registry.publish(commitId, commit);
    this.#scanner.save({ always: false });
    return this.#registry.describe({ commitId, commit });
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
      sequence: this.#registry.nextSequence(),
      rootKey: this.#rootKey,
      ...(tag === undefined ? {} : { tag }),
      ...(name === undefined ? {} : { name }),
      ...(leftOut.length === 0 ? {} : { leftOut }),
    };
  }

  #openView(treeId: string): StoreView {
    const view = new StoreView(this.#objects, treeId);
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
      layout: this.#layout,
      objects: this.#objects,
      refs: this.#refs,
      lock: this.#collectorLock,
      session: this.#session,
      alsoKeep: treeIds,
      fsync: this.#fsync,
    });
    if (collected) this.#scanner.forget();
  }

  /** Runs `body`, which puts objects; what it has put is given up when it fails. */
  #storing<T>(body: () => Promise<T>): Promise<T> {
    return underLease(this.#layout.leases, this.#collectorLock, async () => {
      try {
        return await body();
      } catch (error) {
        this.#objects.discard();
        this.#scanner.forget();
        throw error;
      }
    });
  }

  /** Nothing is captured from a workspace that is on its way to another state. */
  async #requireFinished(): Promise<void> {
    await this.#workspaceLock.whenFree(LOCK_WAIT_MS);
    if (!(await this.recover())) throw new SnapshotError("INCOMPLETE");
  }

  async #finishJournal(): Promise<boolean> {
    const commitId = this.#journal.read();
    const target = commitId === undefined ? undefined : this.#registry.at(commitId);
    if (target === undefined) return commitId === undefined;
    try {
      await this.#restorer.restore(target);
      this.#journal.end();
      return true;
    } catch (error) {
      // What can be done is done; the rest is for whoever restores next.
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
