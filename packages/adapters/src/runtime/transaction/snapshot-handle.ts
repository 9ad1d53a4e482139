import type * as fs from "@wink/filesystem";
import type { TransactionTurn } from "@wink/filesystem/internal";
import { DropSnapshots, TakeSnapshot } from "@wink/prompt/adapter";
import type { SessionEvent } from "@wink/session";
import { type HandleOwner, OWNER } from "./call-resource.js";
import { FilesystemHandle } from "./filesystem-handle.js";
import type { HandleState, LeftOpen } from "./handle-state.js";
import type { TransactionLevel, TransactionLevels } from "./transaction-levels.js";

/** The parts of a handler's handle. A handle for a nested call has none of them, because that call has its own. */
interface CallParts {
  /** The call's transactions. */
  readonly levels: TransactionLevels;
  /** Records in the session which snapshots the handler took and deleted. */
  readonly record: (event: SessionEvent) => void;
}

/**
 * A {@link FilesystemHandle} for files with snapshots. Taking or restoring a snapshot counts as a
 * change.
 */
export class SnapshotHandle extends FilesystemHandle implements fs.SnapshotableFilesystem {
  readonly #state: HandleState<fs.SnapshotableFilesystem>;
  readonly #parts: Partial<CallParts>;
  readonly #turn: TransactionTurn | undefined;

  constructor(
    state: HandleState<fs.SnapshotableFilesystem>,
    owner: HandleOwner,
    parts: Partial<CallParts>,
    turn?: TransactionTurn,
  ) {
    super(state, owner);
    this.#state = state;
    this.#parts = parts;
    this.#turn = turn;
  }

  /**
   * Returns `files` for a nested call, which begins its own transactions instead of the
   * handler's.
   */
  static forCall(files: fs.SnapshotableFilesystem): fs.SnapshotableFilesystem {
    return files instanceof SnapshotHandle
      ? new SnapshotHandle(files.#state, files[OWNER], {})
      : files;
  }

  /**
   * Called when a nested call ends: the outer call need not describe the operations of the nested
   * one, because they are recorded or rolled back.
   */
  static settleNested(files: fs.Filesystem, operations: number): void {
    if (files instanceof SnapshotHandle) files.#state.operations -= operations;
  }

  snapshot(options?: fs.SnapshotOptions): Promise<fs.FilesystemSnapshot> {
    return this.#keep("snapshot", async (files) =>
      this.#taken(await files.snapshot(this.#state.within(options))),
    );
  }

  restore(snapshot: fs.FilesystemSnapshot, options?: fs.CallOptions): Promise<void> {
    const body = () => this.#state.target.restore(snapshot, this.#state.within(options));
    return this.#state.change("restore", ["."], () => this.#parts.levels?.restore(body) ?? body());
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
    return this.#keep("deleteSnapshot", async (files) => {
      await files.deleteSnapshot(snapshot, this.#state.within(options));
      this.#dropped([snapshot]);
    });
  }

  prune(options: fs.PruneOptions): Promise<fs.PruneReport> {
    return this.#keep("prune", async (files) => {
      const report = await files.prune(this.#state.within(options));
      this.#dropped(report.deleted);
      return report;
    });
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
    return this.#keep("importSnapshot", async (files) =>
      this.#taken(await files.importSnapshot(archive, this.#state.within(options))),
    );
  }

  /** A fork belongs to the handler and may outlive the call. */
  fork(options?: fs.CallOptions): Promise<fs.SnapshotableFilesystem> {
    return this.#look("fork", (files) => files.fork(this.#state.within(options)));
  }

  begin(options?: fs.BeginOptions): Promise<fs.FilesystemTransaction> {
    return this.#keep("begin", () => this.#begin(this.#state.within(options)));
  }

  override transact<T>(
    body: (files: fs.SnapshotableFilesystem) => Promise<T> | T,
    options?: fs.TransactOptions,
  ): Promise<T> {
    const state = this.#state;
    const given = state.within(options);
    const transacting = state.transactions.transact(
      {
        begin: () => state.prepareTransaction(() => this.#begin(given)),
        turn: this.#turn,
        signal: given?.signal,
      },
      (turn) => body(new SnapshotHandle(state, this[OWNER], this.#parts, turn)),
    );
    // A cancelled handler may never handle the rejection.
    transacting.catch(() => {});
    return transacting;
  }

  async #begin(options: fs.BeginOptions | undefined): Promise<fs.FilesystemTransaction> {
    const { levels } = this.#parts;
    if (levels === undefined) return await this.#state.target.begin(options);
    return new TransactionHandle(await levels.beginOwn(options), levels, this.#state);
  }

  #look<T>(operation: string, body: (files: fs.SnapshotableFilesystem) => Promise<T>): Promise<T> {
    return this.#state.run(operation, ".", () => body(this.#state.target));
  }

  #taken(snapshot: fs.FilesystemSnapshot): fs.FilesystemSnapshot {
    this.#parts.record?.(TakeSnapshot(snapshot));
    return snapshot;
  }

  #dropped(snapshots: readonly fs.FilesystemSnapshot[]): void {
    const snapshotIds = snapshots.map(({ snapshotId }) => snapshotId);
    if (snapshotIds.length > 0) this.#parts.record?.(DropSnapshots({ snapshotIds }));
  }

  /** Runs an operation that changes stored snapshots or transactions but no file. */
  #keep<T>(operation: string, body: (files: fs.SnapshotableFilesystem) => Promise<T>): Promise<T> {
    return this.#state.prepare(operation, ".", () => body(this.#state.target));
  }
}

/**
 * A handler's transaction inside the call's. If it is left open, it is rolled back when the call
 * ends.
 */
class TransactionHandle implements fs.FilesystemTransaction, LeftOpen {
  readonly #level: TransactionLevel;
  readonly #levels: TransactionLevels;
  readonly #state: HandleState;

  constructor(level: TransactionLevel, levels: TransactionLevels, state: HandleState) {
    this.#level = level;
    this.#levels = levels;
    this.#state = state;
    state.keepOpen(this);
  }

  changes(): Promise<readonly fs.PathChange[]> {
    return this.#state.run("changes", ".", () => this.#level.transaction.changes());
  }

  commit(): Promise<void> {
    return this.#end("commit", () => this.#levels.commitOwn(this.#level));
  }

  rollback(): Promise<void> {
    return this.#end("rollback", () => this.#rollBack());
  }

  async discard(): Promise<void> {
    if (this.#level.close !== undefined) await this.#rollBack();
  }

  async #rollBack(): Promise<void> {
    // A rollback changes files, and no event of a tool describes it.
    this.#state.operations++;
    await this.#levels.rollBackOwn(this.#level);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end("rollback", () => this.discard());
  }

  #end(operation: string, body: () => Promise<void>): Promise<void> {
    return this.#state.run(operation, ".", async () => {
      await body();
      this.#state.closed(this);
    });
  }
}
