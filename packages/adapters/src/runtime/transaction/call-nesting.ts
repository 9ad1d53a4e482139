import { SnapshotError } from "@wink/filesystem";

/**
 * Prevents a handler's transactions and its nested calls from overlapping on the files of one
 * call.
 *
 * A nested call inside a handler's transaction would be reported as done and then be rolled back
 * with that transaction, while its events stay in the session. A transaction that begins while a
 * nested call runs would prevent that call from ending.
 */
export class CallNesting {
  #transactions = 0;
  #calls = 0;

  /**
   * Throws `BUSY` while a nested call has a transaction. Returns a function that ends the
   * transaction.
   */
  openTransaction(): () => void {
    if (this.#calls > 0)
      throw new SnapshotError("BUSY", {
        reason: "a tool call inside this one is still using the files; wait until it has ended",
      });
    this.#transactions++;
    return once(() => this.#transactions--);
  }

  /**
   * Throws {@link InsideTransaction} while the handler has a transaction. Returns a function that
   * ends the call.
   */
  openCall(): () => void {
    if (this.#transactions > 0) throw new InsideTransaction();
    this.#calls++;
    return once(() => this.#calls--);
  }
}

/**
 * Thrown when a writing call is made while its caller has an open transaction on the same files.
 */
export class InsideTransaction extends Error {}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
