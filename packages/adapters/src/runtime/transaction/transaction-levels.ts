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
  /** Whether it can restore a whole state, not only undo single changes. */
  readonly isFull: boolean;
  /**
   * Whether a snapshot was restored in it. The undo log of an outer transaction cannot undo that.
   */
  hasRestored: boolean;
  /**
   * Ends the handler's use of its transaction. `undefined` for a transaction that the handler did
   * not begin, or has ended.
   */
  close: (() => void) | undefined;
}

/**
 * The transactions of one call on its files, innermost last: the call's own, the handler's, and the
 * ones that save the whole state before a restore.
 *
 * The filesystem ends transactions innermost first. So when a handler ends its transaction, the
 * ones that were added inside it end too.
 */
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

  /** Runs `restore` so that the innermost transaction can undo it. */
  async restore(restore: () => Promise<void>): Promise<void> {
    const leave = this.#nesting().openTransaction();
    try {
      await this.#inTurn(async () => {
        // An undo log records single changes, so a restore needs a full transaction.
        if (this.#levels.at(-1)?.isFull === false) await this.#push({ full: true }, undefined);
        const innermost = this.#levels.at(-1);
        if (innermost !== undefined) innermost.hasRestored = true;
        await restore();
      });
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
      // After a restore it stays open until the call ends, because the outer transactions could
      // not undo the restore.
      if (this.#levels.at(-1) === level && !level.hasRestored) {
        await level.transaction.commit();
        this.#levels.pop();
      }
      closeLevel(level);
    });
  }

  /** Undoes everything since the handler's transaction began. Rejects like `commitOwn`. */
  rollBackOwn(level: TransactionLevel): Promise<void> {
    return this.#inTurn(async () => {
      this.#requireInnermost(level);
      while (this.#levels.includes(level)) await this.#rollBackLast();
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

  /**
   * Serialises the work: a transaction that begins between the two steps of a restore could not
   * undo it.
   */
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
