import type { FilesystemDriver } from "../driver/driver.js";
import type { DriverTransaction } from "../driver/driver-snapshots.js";
import type { CallOptions, TransactOptions } from "../protocol/filesystem.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";
import type { ChangeSet } from "../snapshots/change-set.js";
import type * as snapshots from "../snapshots/filesystem-snapshot.js";
import { checkOptions } from "./call-options.js";
import type { Calls } from "./calls.js";
import { DriverFiles } from "./driver-files.js";
import { pruneSnapshots } from "./prune-snapshots.js";
import {
  createSnapshot,
  deleteSnapshot,
  diffSnapshots,
  exportSnapshot,
  forkDriver,
  importSnapshot,
  listSnapshots,
  restoreSnapshot,
} from "./snapshot-operations.js";
import type { TransactionStack, WhenIdle } from "./transaction-stack.js";
import { failure, type Target, type Workspace } from "./workspace.js";

interface Parts<Fork> {
  readonly stack: TransactionStack;
  /** Opens the driver of a fork. */
  readonly open: (driver: FilesystemDriver) => Fork;
}

/** Files with snapshots and transactions: the whole filesystem, or what the body of a transaction gets. */
export class DriverStates<Fork extends snapshots.SnapshotableFilesystem>
  extends DriverFiles
  implements snapshots.SnapshotableFilesystem
{
  readonly #calls: Calls;
  readonly #parts: Parts<Fork>;

  constructor(calls: Calls, root: string, parts: Parts<Fork>) {
    super(calls, root);
    this.#calls = calls;
    this.#parts = parts;
  }

  snapshot(options: snapshots.SnapshotOptions = {}): Promise<snapshots.FilesystemSnapshot> {
    return this.#calls.change("snapshot", ".", options, createSnapshot);
  }

  restore(snapshot: snapshots.FilesystemSnapshot, options: CallOptions = {}): Promise<void> {
    return this.#calls.change("restore", ".", options, (workspace, target) => {
      const restore = () => restoreSnapshot(workspace, target, snapshot);
      const prepared = this.#parts.stack.prepareRestore(() =>
        workspace.snapshots.begin({ full: true }),
      );
      return isPromise(prepared) ? prepared.then(restore) : restore();
    });
  }

  diff(
    from: snapshots.FilesystemSnapshot,
    to?: snapshots.FilesystemSnapshot,
    options: snapshots.DiffOptions = {},
  ): Promise<ChangeSet> {
    return this.#calls.change("diff", ".", options, (workspace) =>
      diffSnapshots(workspace, from, to, options),
    );
  }

  snapshots(options: CallOptions = {}): Promise<readonly snapshots.FilesystemSnapshot[]> {
    return this.#calls.change("snapshots", ".", options, listSnapshots);
  }

  deleteSnapshot(snapshot: snapshots.FilesystemSnapshot, options: CallOptions = {}): Promise<void> {
    return this.#calls.change("deleteSnapshot", ".", options, (workspace) =>
      deleteSnapshot(workspace, snapshot),
    );
  }

  prune(options: snapshots.PruneOptions): Promise<snapshots.PruneReport> {
    return this.#calls.change("prune", ".", options, (workspace, target) =>
      pruneSnapshots(workspace.snapshots, target, options, Date.now()),
    );
  }

  verify(options: CallOptions = {}): Promise<snapshots.VerifyReport> {
    return this.#calls.change("verify", ".", options, (workspace) => workspace.snapshots.verify());
  }

  exportSnapshot(
    snapshot: snapshots.FilesystemSnapshot,
    options: CallOptions = {},
  ): AsyncIterable<Uint8Array> {
    return exportSnapshot(this.#calls, snapshot, options);
  }

  importSnapshot(
    archive: Parameters<snapshots.SnapshotableFilesystem["importSnapshot"]>[0],
    options: snapshots.SnapshotOptions = {},
  ): Promise<snapshots.FilesystemSnapshot> {
    return this.#calls.change("importSnapshot", ".", options, (workspace) =>
      importSnapshot(workspace, archive, options),
    );
  }

  async fork(options: CallOptions = {}): Promise<Fork> {
    return this.#parts.open(await this.#calls.change("fork", ".", options, forkDriver));
  }

  begin(options: snapshots.BeginOptions = {}): Promise<snapshots.FilesystemTransaction> {
    const whenIdle: WhenIdle = (operation, body) => this.#calls.change(operation, ".", {}, body);
    return this.#calls.change("begin", ".", options, (workspace, target) =>
      this.#begin(workspace, target, options, whenIdle),
    );
  }

  async transact<T>(
    body: (files: snapshots.SnapshotableFilesystem) => Promise<T> | T,
    options: TransactOptions = {},
  ): Promise<T> {
    const calls = this.#calls;
    const signal = checkOptions("transact", ".", options);
    const { full, aroundRollback = (rollback) => rollback() } = options;
    if (typeof body !== "function") throw invalidArgument("transact", "body must be a function");
    if (typeof aroundRollback !== "function")
      throw invalidArgument("transact", "aroundRollback must be a function");
    // Begin and commit do not wait in the queue of transactions, because this transaction is already at the front of it.
    const whenIdle: WhenIdle = (operation, end) => calls.changeNow(operation, {}, end);
    const begin = async () => {
      const begun = await calls.changeNow("begin", { full, signal }, (workspace, target) =>
        this.#begin(workspace, target, { full, signal }, whenIdle, { unwinds: true }),
      );
      return {
        commit: () => begun.commit(),
        rollback: () => aroundRollback(() => begun.rollback()),
      };
    };
    return await calls.transact({ begin, signal }, (inside) =>
      body(new DriverStates(inside, this.root, this.#parts)),
    );
  }

  #begin(
    workspace: Workspace,
    target: Target,
    { full = false, committedBy, signal }: snapshots.BeginOptions,
    whenIdle: WhenIdle,
    { unwinds = false } = {},
  ): MaybePromise<snapshots.FilesystemTransaction> {
    if (workspace.readOnly) throw failure(target, "EROFS");
    const push = (begun: DriverTransaction) =>
      this.#parts.stack.push(begun, whenIdle, { isFull: full, unwinds });
    const begun = workspace.snapshots.begin({ full, committedBy, signal });
    if (!isPromise(begun)) return push(begun);
    return begun.then(async (transaction) => {
      if (signal?.aborted) await transaction.rollback();
      signal?.throwIfAborted();
      return push(transaction);
    });
  }
}
