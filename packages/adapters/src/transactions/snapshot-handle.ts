import type * as fs from "@wink/filesystem";
import { FilesystemHandle } from "./filesystem-handle.js";
import type { HandleState, LeftOpen } from "./handle-state.js";

/** A {@link FilesystemHandle} of files whose states can be kept. Keeping and bringing one back counts as a change. */
export class SnapshotHandle extends FilesystemHandle implements fs.SnapshotableFilesystem {
  readonly #state: HandleState<fs.SnapshotableFilesystem>;

  constructor(state: HandleState<fs.SnapshotableFilesystem>) {
    super(state);
    this.#state = state;
  }

  snapshot(options?: fs.SnapshotOptions): Promise<fs.FilesystemSnapshot> {
    return this.#keep("snapshot", (files) => files.snapshot(this.#state.within(options)));
  }

  restore(snapshot: fs.FilesystemSnapshot, options?: fs.CallOptions): Promise<void> {
    return this.#state.change("restore", ["."], async () => {
      await this.#state.beforeRestore();
      await this.#state.target.restore(snapshot, this.#state.within(options));
    });
  }

  diff(
    from: fs.FilesystemSnapshot,
    to?: fs.FilesystemSnapshot,
    options?: fs.CallOptions,
  ): Promise<fs.ChangeSet> {
    return this.#look("diff", (files) => files.diff(from, to, this.#state.within(options)));
  }

  snapshots(options?: fs.CallOptions): Promise<readonly fs.FilesystemSnapshot[]> {
    return this.#look("snapshots", (files) => files.snapshots(this.#state.within(options)));
  }

  deleteSnapshot(snapshot: fs.FilesystemSnapshot, options?: fs.CallOptions): Promise<void> {
    return this.#keep("deleteSnapshot", (files) =>
      files.deleteSnapshot(snapshot, this.#state.within(options)),
    );
  }

  prune(options: fs.PruneOptions): Promise<fs.PruneReport> {
    return this.#keep("prune", (files) => files.prune(this.#state.within(options)));
  }

  verify(options?: fs.CallOptions): Promise<fs.VerifyReport> {
    return this.#look("verify", (files) => files.verify(this.#state.within(options)));
  }

  async *exportSnapshot(
    snapshot: fs.FilesystemSnapshot,
    options?: fs.CallOptions,
  ): AsyncGenerator<Uint8Array, void, void> {
    this.#state.requireOpen("exportSnapshot", ".");
    const chunks = this.#state.target.exportSnapshot(snapshot, this.#state.within(options));
    for await (const chunk of chunks) {
      this.#state.requireOpen("exportSnapshot", ".");
      yield chunk;
    }
  }

  importSnapshot(
    archive: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    options?: fs.SnapshotOptions,
  ): Promise<fs.FilesystemSnapshot> {
    return this.#keep("importSnapshot", (files) =>
      files.importSnapshot(archive, this.#state.within(options)),
    );
  }

  /** A fork is the handler's own and outlives the call. */
  fork(options?: fs.CallOptions): Promise<fs.SnapshotableFilesystem> {
    return this.#look("fork", (files) => files.fork(this.#state.within(options)));
  }

  begin(options?: fs.BeginOptions): Promise<fs.FilesystemTransaction> {
    return this.#keep("begin", async (files) => {
      const transaction = await files.begin(this.#state.within(options));
      return new TransactionHandle(transaction, this.#state);
    });
  }

  #look<T>(operation: string, body: (files: fs.SnapshotableFilesystem) => Promise<T>): Promise<T> {
    return this.#state.run(operation, ".", () => body(this.#state.target));
  }

  /** Changes what is kept, and no file. */
  #keep<T>(operation: string, body: (files: fs.SnapshotableFilesystem) => Promise<T>): Promise<T> {
    return this.#state.prepare(operation, ".", () => body(this.#state.target));
  }
}

/** A transaction of a handler's own, inside the call's. Left open, it is rolled back with the end of the call. */
class TransactionHandle implements fs.FilesystemTransaction, LeftOpen {
  readonly #transaction: fs.FilesystemTransaction;
  readonly #state: HandleState;

  constructor(transaction: fs.FilesystemTransaction, state: HandleState) {
    this.#transaction = transaction;
    this.#state = state;
    state.keepOpen(this);
  }

  commit(): Promise<void> {
    return this.#end("commit", () => this.#transaction.commit());
  }

  rollback(): Promise<void> {
    return this.#end("rollback", () => this.#transaction.rollback());
  }

  async giveUp(): Promise<void> {
    await this.#transaction[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end("rollback", () => this.#transaction[Symbol.asyncDispose]());
  }

  #end(operation: string, body: () => PromiseLike<void>): Promise<void> {
    return this.#state.run(operation, ".", async () => {
      await body();
      this.#state.closed(this);
    });
  }
}
