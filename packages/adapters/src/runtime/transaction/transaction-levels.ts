import {
  type BeginOptions,
  type FilesystemTransaction,
  type PathChange,
  type SnapshotableFilesystem,
  SnapshotError,
} from "@wink/filesystem";
import type { CallNesting } from "./call-nesting.js";

/** One open transaction of a call. */
export interface TransactionLevel {
  readonly transaction: FilesystemTransaction;
  /**
   * Ends the handler's use of its transaction. `undefined` for a transaction that the handler did
   * not begin, or has ended.
   */
  close: (() => void) | undefined;
}

/** The transactions of one call on its files, innermost last: the call's own, then the handler's. */
export class TransactionLevels {
  readonly #files: SnapshotableFilesystem;
  readonly #nesting: () => CallNesting;
  readonly #levels: TransactionLevel[] = [];
  #last: Promise<unknown> = Promise.resolve();

  /** @param nesting the nesting of the call that owns these transactions */
  constructor(files: SnapshotableFilesystem, nesting: () => CallNesting) {
    this.#files = files;
    this.#nesting = nesting;
  }

  get isEmpty(): boolean {
    return this.#levels.length === 0;
  }

  /** What the call has changed so far. */
  async changes(): Promise<readonly PathChange[]> {
    return (await this.#levels[0]?.transaction.changes()) ?? [];
  }

  /** Begins the call's own transaction. */
  async begin(options: BeginOptions): Promise<void> {
    await this.#push(options, undefined);
  }

  /**
   * Begins a transaction for the handler. Rejects with `BUSY` while a nested call uses the files.
   */
  async beginOwn(options: BeginOptions | undefined): Promise<TransactionLevel> {
    const leave = this.#nesting().openTransaction();
    try {
      return await this.#inTurn(() => this.#push(options, leave));
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Runs `restore` between two changes of the transactions. Rejects like `beginOwn`. */
  async restore(restore: () => Promise<void>): Promise<void> {
    const leave = this.#nesting().openTransaction();
    try {
      await this.#inTurn(restore);
    } finally {
      leave();
    }
  }

  /**
   * Commits a handler's transaction. Rejects with `TRANSACTION_ENDED` if it has ended or an inner
   * one is open.
   */
  commitOwn(level: TransactionLevel): Promise<void> {
    return this.#inTurn(async () => {
      this.#requireInnermost(level);
      await level.transaction.commit();
      this.#levels.pop();
      closeLevel(level);
    });
  }

  /** Undoes everything since the handler's transaction began. Rejects like `commitOwn`. */
  rollBackOwn(level: TransactionLevel): Promise<void> {
    return this.#inTurn(async () => {
      this.#requireInnermost(level);
      await this.#rollBackLast();
    });
  }

  /** Commits every open transaction. Can be retried if it fails. */
  async commitAll(): Promise<void> {
    for (let last = this.#levels.at(-1); last !== undefined; last = this.#levels.at(-1)) {
      await last.transaction.commit();
      closeLevel(last);
      this.#levels.pop();
    }
  }

  /** Rolls back every open transaction. Can be retried if it fails. */
  async rollBackAll(): Promise<void> {
    while (!this.isEmpty) await this.#rollBackLast();
  }

  async #push(
    options: BeginOptions = {},
    close: (() => void) | undefined,
  ): Promise<TransactionLevel> {
    const transaction = await this.#files.begin(options);
    const level = { transaction, close };
    this.#levels.push(level);
    return level;
  }

  async #rollBackLast(): Promise<void> {
    const last = this.#levels.at(-1);
    await last?.transaction.rollback();
    if (last !== undefined) closeLevel(last);
    this.#levels.pop();
  }

  #requireInnermost(level: TransactionLevel): void {
    if (level.close === undefined || this.#levels.at(-1) !== level)
      throw new SnapshotError("TRANSACTION_ENDED");
  }

  /** Serialises the work, so that a transaction begins or ends at a defined point. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

function closeLevel(level: TransactionLevel): void {
  level.close?.();
  level.close = undefined;
}
