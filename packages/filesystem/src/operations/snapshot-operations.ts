import type { DriverSnapshots } from "../driver/driver-snapshots.js";
import { compareTrees } from "../patch/compare-trees.js";
import { FilesystemError } from "../protocol/filesystem-error.js";
import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";
import type { ChangeSet } from "../snapshots/change-set.js";
import type * as types from "../snapshots/filesystem-snapshot.js";
import { knownStateError } from "../snapshots/known-state-error.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";
import { requireSnapshotName } from "../snapshots/snapshot-name.js";
import { readTar, writeTar } from "../tar/tar.js";
import type { MutationQueue } from "./mutation-queue.js";
import { pruneSnapshots } from "./prune-snapshots.js";
import { TransactionStack } from "./transaction-stack.js";

export interface SnapshotOperationsOptions {
  readonly readOnly: boolean;
  readonly queue: MutationQueue;
  /** Called after a restore or a rollback, which may have replaced any file. */
  readonly onFilesReplaced: () => void;
}

type Signalled = { readonly signal?: AbortSignal | undefined };

/** The snapshot operations of a filesystem, for any backend. */
export class SnapshotOperations {
  readonly #store: DriverSnapshots;
  readonly #options: SnapshotOperationsOptions;
  readonly #transactions: TransactionStack;

  constructor(store: DriverSnapshots, options: SnapshotOperationsOptions) {
    this.#store = store;
    this.#options = options;
    this.#transactions = new TransactionStack(options.queue, options.onFilesReplaced);
  }

  snapshot(options: types.SnapshotOptions): Promise<types.FilesystemSnapshot> {
    return this.#inTurn("snapshot", options, () => {
      if (options.name !== undefined) requireSnapshotName(options.name);
      const made = this.#store.create(options);
      return isPromise(made) ? made.then(frozen) : frozen(made);
    });
  }

  restore(snapshot: types.FilesystemSnapshot, options: Signalled): Promise<void> {
    const { readOnly, onFilesReplaced } = this.#options;
    return this.#inTurn("restore", options, () => {
      if (readOnly) throw new FilesystemError("EROFS", { operation: "restore", path: "." });
      requireSnapshot(snapshot);
      let restoring: MaybePromise<void>;
      try {
        restoring = this.#store.restore(snapshot);
      } finally {
        onFilesReplaced();
      }
      return isPromise(restoring) ? restoring.finally(onFilesReplaced) : restoring;
    });
  }

  diff(
    from: types.FilesystemSnapshot,
    to: types.FilesystemSnapshot | undefined,
    options: Signalled,
  ): Promise<ChangeSet> {
    return this.#inTurn("diff", options, async () => {
      requireSnapshot(from);
      if (to !== undefined) requireSnapshot(to);
      const before = await this.#store.view(from);
      return await compareTrees(before, await this.#store.view(to));
    });
  }

  list(options: Signalled): Promise<readonly types.FilesystemSnapshot[]> {
    return this.#inTurn("snapshots", options, async () =>
      Object.freeze((await this.#store.list()).map(frozen)),
    );
  }

  delete(snapshot: types.FilesystemSnapshot, options: Signalled): Promise<void> {
    return this.#inTurn("deleteSnapshot", options, () => {
      requireSnapshot(snapshot);
      return this.#store.delete([snapshot]);
    });
  }

  prune(options: types.PruneOptions): Promise<types.PruneReport> {
    return this.#inTurn("prune", options, () => pruneSnapshots(this.#store, options, Date.now()));
  }

  verify(options: Signalled): Promise<types.VerifyReport> {
    return this.#inTurn("verify", options, async () => this.#store.verify());
  }

  async *export(
    snapshot: types.FilesystemSnapshot,
    options: Signalled,
  ): AsyncGenerator<Uint8Array, void, void> {
    const view = await this.#inTurn("exportSnapshot", options, async () => {
      requireSnapshot(snapshot);
      return await this.#store.view(snapshot);
    });
    try {
      for await (const chunk of writeTar(view.entries())) {
        options.signal?.throwIfAborted();
        yield chunk;
      }
    } catch (error) {
      throw knownStateError(error, "exportSnapshot", options.signal);
    }
  }

  import(
    archive: Parameters<types.SnapshotableFilesystem["importSnapshot"]>[0],
    options: types.SnapshotOptions,
  ): Promise<types.FilesystemSnapshot> {
    return this.#inTurn("importSnapshot", options, async () => {
      if (options.name !== undefined) requireSnapshotName(options.name);
      const isArchive = Symbol.iterator in archive || Symbol.asyncIterator in archive;
      const entries = isArchive ? readTar(archive) : archive.entries();
      return frozen(await this.#store.add(entries, options));
    });
  }

  fork(options: Signalled): Promise<Awaited<ReturnType<DriverSnapshots["fork"]>>> {
    return this.#inTurn("fork", options, async () => this.#store.fork());
  }

  begin({
    full = false,
    committedBy,
    signal,
  }: types.BeginOptions): Promise<types.FilesystemTransaction> {
    return this.#inTurn("begin", { signal }, () => {
      if (this.#options.readOnly)
        throw new FilesystemError("EROFS", { operation: "begin", path: "." });
      const begun = this.#store.begin({ full, committedBy });
      return isPromise(begun)
        ? begun.then((transaction) => this.#transactions.push(transaction))
        : this.#transactions.push(begun);
    });
  }

  /** Synchronous when the queue is empty, because a transaction surrounds every tool call. */
  #inTurn<T>(operation: string, { signal }: Signalled, work: () => MaybePromise<T>): Promise<T> {
    const { queue } = this.#options;
    return queue.isFree
      ? queue.follow(attempt(operation, signal, work))
      : attemptLater(queue, operation, signal, work);
  }
}

/** Separate from its only caller, so that work that need not wait allocates no closure. */
function attemptLater<T>(
  queue: MutationQueue,
  operation: string,
  signal: AbortSignal | undefined,
  work: () => MaybePromise<T>,
): Promise<T> {
  return queue.run(() => attempt(operation, signal, work));
}

function attempt<T>(
  operation: string,
  signal: AbortSignal | undefined,
  work: () => MaybePromise<T>,
): MaybePromise<T> {
  try {
    signal?.throwIfAborted();
    const result = work();
    return isPromise(result) ? knowingErrors(result, operation, signal) : result;
  } catch (error) {
    return Promise.reject(knownStateError(error, operation, signal));
  }
}

/** Separate from its only caller, so that synchronous work allocates no closure. */
function knowingErrors<T>(
  result: Promise<T>,
  operation: string,
  signal: AbortSignal | undefined,
): Promise<T> {
  return result.catch((error: unknown) => {
    throw knownStateError(error, operation, signal);
  });
}

/** Freezes a snapshot deeply before a caller receives it. */
function frozen(snapshot: types.FilesystemSnapshot): types.FilesystemSnapshot {
  snapshot.leftOut?.forEach(Object.freeze);
  Object.freeze(snapshot.leftOut);
  return Object.freeze(snapshot);
}

/** A snapshot from a session may be any data, so check that its ids are strings. */
function requireSnapshot(snapshot: types.FilesystemSnapshot): void {
  const { snapshotId, commitRef } = snapshot ?? {};
  if (typeof snapshotId !== "string" || typeof commitRef !== "string")
    throw new SnapshotError("UNKNOWN_SNAPSHOT");
}
