import type { DriverTransaction } from "../driver/driver-snapshots.js";
import { isPromise } from "../protocol/maybe-promise.js";
import type { FilesystemTransaction } from "../snapshots/filesystem-snapshot.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";
import type { Calls } from "./calls.js";

/** Makes sure that transactions end in reverse order: the last one begun ends first. */
export class TransactionStack {
  readonly #open: DriverTransaction[] = [];
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  push(transaction: DriverTransaction): FilesystemTransaction {
    this.#open.push(transaction);
    const commit = () => this.#end("commit", transaction);
    const rollback = async () => {
      await this.#end("rollback", transaction);
      this.#calls.workspace.usage.forget();
    };
    const isOpen = () => this.#open.includes(transaction);
    return {
      changes: () =>
        this.#calls.change("changes", ".", {}, () => {
          if (!isOpen()) throw new SnapshotError("TRANSACTION_ENDED");
          return transaction.changes();
        }),
      commit,
      rollback,
      async [Symbol.asyncDispose]() {
        if (isOpen()) await rollback();
      },
    };
  }

  #end(how: "commit" | "rollback", transaction: DriverTransaction): Promise<void> {
    return this.#calls.change(how, ".", {}, () => {
      if (this.#open.at(-1) !== transaction) throw new SnapshotError("TRANSACTION_ENDED");
      // If it fails, the transaction stays open, so that the caller can retry.
      const ended = () => void this.#open.pop();
      const ending = transaction[how]();
      return isPromise(ending) ? ending.then(ended) : ended();
    });
  }
}
