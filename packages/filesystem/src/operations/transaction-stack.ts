import type { DriverTransaction } from "../driver/driver-snapshots.js";
import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";
import type { FilesystemTransaction } from "../snapshots/filesystem-snapshot.js";
import { knownStateError } from "../snapshots/known-state-error.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";
import type { MutationQueue } from "./mutation-queue.js";

/** Makes sure that transactions end in reverse order: the last one begun ends first. */
export class TransactionStack {
  readonly #open: DriverTransaction[] = [];
  readonly #queue: MutationQueue;
  readonly #onRollback: () => void;

  constructor(queue: MutationQueue, onRollback: () => void) {
    this.#queue = queue;
    this.#onRollback = onRollback;
  }

  push(transaction: DriverTransaction): FilesystemTransaction {
    this.#open.push(transaction);
    const commit = () => this.#end("commit", transaction, () => transaction.commit());
    const rollback = async () => {
      await this.#end("rollback", transaction, () => transaction.rollback());
      this.#onRollback();
    };
    const undecided = () => this.#open.includes(transaction);
    return {
      commit,
      rollback,
      async [Symbol.asyncDispose]() {
        if (undecided()) await rollback();
      },
    };
  }

  #end(
    operation: "commit" | "rollback",
    transaction: DriverTransaction,
    end: () => MaybePromise<void>,
  ): Promise<void> {
    // If it fails, the transaction stays open, so that the caller can retry.
    const ended = () => void this.#open.pop();
    const failed = (error: unknown) => Promise.reject(knownStateError(error, operation));
    return this.#queue.run(() => {
      try {
        if (this.#open.at(-1) !== transaction) throw new SnapshotError("TRANSACTION_ENDED");
        const ending = end();
        return isPromise(ending) ? ending.then(ended, failed) : ended();
      } catch (error) {
        return failed(error);
      }
    });
  }
}
