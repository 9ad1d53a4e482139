import type { DriverTransaction } from "../driver/driver-snapshots.js";
import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";
import type { FilesystemTransaction } from "../snapshots/filesystem-snapshot.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";
import type { UsageKeeper } from "./usage-keeper.js";

/** Runs a call that ends or reads a transaction, when no change is running. */
export type WhenIdle = <T>(
  operation: "changes" | "commit" | "rollback",
  body: () => MaybePromise<T>,
) => Promise<T>;

export interface PushOptions {
  readonly isFull: boolean;
  /** Whether a rollback also rolls back open inner transactions. Otherwise it is refused. @default false */
  readonly unwinds?: boolean;
}

interface Level {
  readonly transaction: DriverTransaction;
  /** Whether it can undo a restore. Others only undo single changes. */
  readonly isFull: boolean;
  hasRestored: boolean;
  /** Whether its owner has committed it. It stays open until the outer one ends, which could not undo a restore. */
  isKept: boolean;
}

/** Makes sure that transactions end in reverse order: the last one begun ends first. */
export class TransactionStack {
  readonly #open: Level[] = [];
  readonly #usage: UsageKeeper;

  constructor(usage: UsageKeeper) {
    this.#usage = usage;
  }

  push(
    transaction: DriverTransaction,
    whenIdle: WhenIdle,
    { isFull, unwinds = false }: PushOptions,
  ): FilesystemTransaction {
    const level = { transaction, isFull, hasRestored: false, isKept: false };
    this.#open.push(level);
    const isOpen = () => this.#open.includes(level) && !level.isKept;
    const rollback = () =>
      whenIdle("rollback", async () => {
        if (!unwinds) this.#requireInnermost(level);
        if (!isOpen()) throw new SnapshotError("TRANSACTION_ENDED");
        while (this.#open.includes(level)) await this.#endLast("rollback");
        this.#usage.forget();
      });
    return {
      changes: () =>
        whenIdle("changes", () => {
          if (!isOpen()) throw new SnapshotError("TRANSACTION_ENDED");
          return transaction.changes();
        }),
      commit: () => whenIdle("commit", () => this.#commit(level)),
      rollback,
      async [Symbol.asyncDispose]() {
        if (isOpen()) await rollback();
      },
    };
  }

  /** Makes sure that the innermost transaction can undo a restore. */
  prepareRestore(beginFull: () => MaybePromise<DriverTransaction>): MaybePromise<void> {
    const last = this.#open.at(-1);
    if (last === undefined) return;
    if (last.isFull) {
      last.hasRestored = true;
      return;
    }
    const add = (transaction: DriverTransaction) =>
      void this.#open.push({ transaction, isFull: true, hasRestored: true, isKept: true });
    const begun = beginFull();
    return isPromise(begun) ? begun.then(add) : add(begun);
  }

  #commit(level: Level): MaybePromise<void> {
    this.#requireInnermost(level);
    const [isOutermost, isLast] = [this.#open[0] === level, this.#open.at(-1) === level];
    if (!isOutermost && !(isLast && !level.hasRestored)) {
      level.isKept = true;
      return;
    }
    return isLast ? this.#endLast("commit") : this.#commitFrom(level);
  }

  async #commitFrom(level: Level): Promise<void> {
    while (this.#open.includes(level)) await this.#endLast("commit");
  }

  /** If it fails, the transaction stays open, so that the caller can retry. */
  #endLast(how: "commit" | "rollback"): MaybePromise<void> {
    const ending = this.#open.at(-1)?.transaction[how]();
    const ended = () => void this.#open.pop();
    return isPromise(ending) ? ending.then(ended) : ended();
  }

  #requireInnermost(level: Level): void {
    const at = this.#open.indexOf(level);
    if (at < 0 || level.isKept || !this.#open.slice(at + 1).every(({ isKept }) => isKept))
      throw new SnapshotError("TRANSACTION_ENDED");
  }
}
