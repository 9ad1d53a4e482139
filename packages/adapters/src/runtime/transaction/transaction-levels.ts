import {
  type BeginOptions,
  type FilesystemTransaction,
  type SnapshotableFilesystem,
  SnapshotError,
} from "@wink/filesystem";
import type { CallNesting } from "./call-nesting.js";

/** One open transaction of a call. */
export interface TransactionLevel {
  readonly transaction: FilesystemTransaction;
  /** Whether it can bring back a whole state, and not only undo single changes. */
  readonly isFull: boolean;
  /** Whether a snapshot was restored in it. An undo log below it does not know of that. */
  hasRestored: boolean;
  /** For a transaction that the handler began: ends it for the handler. `undefined` when the handler has none to end. */
  close: (() => void) | undefined;
}

/**
 * The transactions of one call on its files, innermost last: the call's, those that its handler began,
 * and the ones that save the whole state before a restore.
 *
 * The filesystem ends transactions innermost first. So a handler that ends its transaction also ends the
 * ones that were added above it.
 */
export class TransactionLevels {
  readonly #files: SnapshotableFilesystem;
  readonly #nesting: () => CallNesting;
  readonly #levels: TransactionLevel[] = [];
  #last: Promise<unknown> = Promise.resolve();

  /** @param nesting of the call that these transactions belong to */
  constructor(files: SnapshotableFilesystem, nesting: () => CallNesting) {
    this.#files = files;
    this.#nesting = nesting;
  }

  get isEmpty(): boolean {
    return this.#levels.length === 0;
  }

  /** Begins the transaction of the call. */
  async begin(options: BeginOptions): Promise<void> {
    await this.#push(options, undefined);
  }

  /** Begins a transaction for the handler. Rejects with `BUSY` while a call inside this one uses the files. */
  async beginOwn(options: BeginOptions | undefined): Promise<TransactionLevel> {
    const leave = this.#nesting().openTransaction();
    try {
      return await this.#inTurn(() => this.#push(options, leave));
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Runs `restore` so that the innermost transaction can undo it. */
  async restore(restore: () => Promise<void>): Promise<void> {
    const leave = this.#nesting().openTransaction();
    try {
      await this.#inTurn(async () => {
        // An undo log records single changes, and a restore is not one.
        if (this.#levels.at(-1)?.isFull === false) await this.#push({ full: true }, undefined);
        const innermost = this.#levels.at(-1);
        if (innermost !== undefined) innermost.hasRestored = true;
        await restore();
      });
    } finally {
      leave();
    }
  }

  /** Ends a handler's transaction. Rejects with `TRANSACTION_ENDED` when it has ended, or one inside it has not. */
  commitOwn(level: TransactionLevel): Promise<void> {
    return this.#inTurn(async () => {
      this.#requireInnermost(level);
      // After a restore it stays until the call ends: the transactions below could not undo the restore.
      if (this.#levels.at(-1) === level && !level.hasRestored) {
        await level.transaction.commit();
        this.#levels.pop();
      }
      closeLevel(level);
    });
  }

  /** Undoes everything since the handler's transaction began. Rejects as `commitOwn` does. */
  rollBackOwn(level: TransactionLevel): Promise<void> {
    return this.#inTurn(async () => {
      this.#requireInnermost(level);
      while (this.#levels.includes(level)) await this.#rollBackLast();
    });
  }

  /** Commits whatever is open. Can be tried again when it fails. */
  async commitAll(): Promise<void> {
    for (let last = this.#levels.at(-1); last !== undefined; last = this.#levels.at(-1)) {
      await last.transaction.commit();
      closeLevel(last);
      this.#levels.pop();
    }
  }

  /** Rolls back whatever is open. Can be tried again when it fails. */
  async rollBackAll(): Promise<void> {
    while (!this.isEmpty) await this.#rollBackLast();
  }

  async #push(
    options: BeginOptions = {},
    close: (() => void) | undefined,
  ): Promise<TransactionLevel> {
    const transaction = await this.#files.begin(options);
    const level = { transaction, isFull: options.full === true, hasRestored: false, close };
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
    const inside = this.#levels.slice(this.#levels.indexOf(level) + 1);
    if (level.close === undefined || inside.some(({ close }) => close !== undefined))
      throw new SnapshotError("TRANSACTION_ENDED");
  }

  /** One at a time: a transaction that began between the two steps of a restore could not undo it. */
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
