import type { DriverBeginOptions, DriverTransaction } from "../../driver/driver-snapshots.js";
import { pathChanges } from "../../patch/path-changes.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import { isPromise, type MaybePromise } from "../../protocol/maybe-promise.js";
import type { CommitRecord } from "../../snapshots/filesystem-snapshot.js";
import type { PathChange } from "../../snapshots/path-change.js";
import { SnapshotError } from "../../snapshots/snapshot-error.js";
import type { HostRoot } from "../containment/host-root.js";
import { fromStoreError } from "../git-store/from-store-error.js";
import { isCommitted } from "../journal/commit-record.js";
import type { RegisteredSnapshot } from "../snapshots/snapshot-registry.js";
import type { SnapshotStore } from "../snapshots/snapshot-store.js";
import { type LoggedFiles, TouchedRoots } from "./logged-changes.js";
import { UndoLog } from "./undo-log.js";

/** A transaction that is still open. */
interface Level {
  /** The number of logged changes when it began. */
  readonly position: number;
  /** The whole state at its beginning. Only for a transaction with `full`, or without an undo log. */
  readonly checkpoint: RegisteredSnapshot | undefined;
  /** Where the commit of the outermost transaction is recorded. Nested transactions inherit it. */
  readonly committedBy: CommitRecord | undefined;
}

export interface TransactionsOptions {
  readonly root: HostRoot;
  readonly files: LoggedFiles;
  readonly store: () => SnapshotStore;
  readonly fsync: boolean;
}

/** The nested transactions of a workspace and the undo log they share. */
export class Transactions {
  readonly #options: TransactionsOptions;
  readonly #levels: Level[] = [];
  #log: UndoLog | undefined;
  #hasNoLog = false;

  constructor(options: TransactionsOptions) {
    this.#options = options;
  }

  /** The log to write to before each change. `undefined` if no open transaction needs one. */
  get log(): UndoLog | undefined {
    return this.#levels.some(isLogged) ? this.#log : undefined;
  }

  begin({ full, committedBy }: DriverBeginOptions): MaybePromise<DriverTransaction> {
    this.#openLog();
    const outermost = this.#levels[0];
    const decision = outermost === undefined ? committedBy : outermost.committedBy;
    if (outermost === undefined) this.#log?.decideBy(decision);
    // Without a log, save the whole state instead.
    if (full || this.#log === undefined)
      return this.#checkpoint(decision).then((level) => this.#start(level));
    return this.#start(this.#mark(decision));
  }

  #start(level: Level): DriverTransaction {
    this.#levels.push(level);
    return {
      changes: () => this.#changes(level),
      commit: () => this.#end(level, () => this.#commit(level)),
      rollback: () => this.#end(level, () => this.#rollBack(level)),
    };
  }

  /**
   * Rolls back open transactions and finishes those whose commit is recorded. If that fails, the next process that
   * opens the workspace does it.
   */
  async close(): Promise<void> {
    try {
      for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
        if (isCommitted(level.committedBy)) this.#commit(level);
        else await this.#rollBack(level);
        this.#levels.pop();
      }
      await this.#log?.close();
    } finally {
      this.#log?.release();
      this.#log = undefined;
      if (!this.#levels.every(isLogged)) this.#options.store().fullJournal.release();
    }
  }

  #openLog(): void {
    const { root, fsync } = this.#options;
    if (this.#log !== undefined || this.#hasNoLog) return;
    this.#log = UndoLog.make(root, fsync);
    this.#hasNoLog = this.#log === undefined;
  }

  #mark(committedBy: CommitRecord | undefined): Level {
    return { position: this.#log?.length ?? 0, checkpoint: undefined, committedBy };
  }

  async #checkpoint(committedBy: CommitRecord | undefined): Promise<Level> {
    const store = this.#options.store();
    const level = { ...this.#mark(committedBy), checkpoint: await store.checkpoint() };
    const isFirst = this.#levels.every(isLogged);
    if (isFirst) store.fullJournal.begin(level.checkpoint.commitId, level.position, committedBy);
    return level;
  }

  #end(level: Level, body: () => MaybePromise<void>): MaybePromise<void> {
    if (this.#levels.at(-1) !== level) throw new SnapshotError("TRANSACTION_ENDED");
    try {
      const ending = body();
      if (!isPromise(ending)) this.#levels.pop();
      else
        return ending.then(
          () => void this.#levels.pop(),
          (error) => Promise.reject(fromStoreError(error, "transaction")),
        );
    } catch (error) {
      throw fromStoreError(error, "transaction");
    }
  }

  async #changes(level: Level): Promise<readonly PathChange[]> {
    const { files } = this.#options;
    if (level.checkpoint !== undefined) return await this.#changesSince(level.checkpoint);
    const roots = new TouchedRoots();
    roots.addRecords(this.#log?.recordsFrom(level.position) ?? []);
    // A restore is not in the log. It happens in an inner transaction that has a checkpoint.
    const inner = this.#levels.slice(this.#levels.indexOf(level)).find((each) => !isLogged(each));
    if (inner?.checkpoint !== undefined)
      for (const { path, kind } of await this.#changesSince(inner.checkpoint))
        roots.add(path as VirtualPath, kind !== "create");
    return roots.changes(files);
  }

  async #changesSince({ commit }: RegisteredSnapshot): Promise<readonly PathChange[]> {
    const store = this.#options.store();
    return await pathChanges(store.viewOf(commit.treeId), await store.view(undefined));
  }

  #commit(level: Level): void {
    // A nested commit keeps the log, because the outer transaction may still be rolled back.
    if (!this.#levels.slice(0, -1).some(isLogged)) this.#log?.forget(0);
    this.#drop(level);
  }

  #rollBack(level: Level): MaybePromise<void> {
    const { checkpoint, position } = level;
    if (checkpoint === undefined) {
      this.#log?.rollBack(position);
      return;
    }
    return this.#options
      .store()
      .returnTo(checkpoint)
      .then(() => {
        this.#log?.forget(position);
        this.#drop(level);
      });
  }

  #drop({ checkpoint }: Level): void {
    if (checkpoint === undefined) return;
    const store = this.#options.store();
    const first = this.#levels.find((level) => !isLogged(level));
    if (first?.checkpoint === checkpoint) store.fullJournal.end();
    store.dropCheckpoint(checkpoint);
  }
}

function isLogged({ checkpoint }: Level): boolean {
  return checkpoint === undefined;
}
