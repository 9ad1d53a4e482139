import { SnapshotError } from "@wink/filesystem";

/**
 * Keeps the transactions of a handler and the calls that the handler makes apart, on the files of one call.
 *
 * A call inside a handler's transaction would be reported as done and then be rolled back with that
 * transaction, while its events stay in the session. A transaction that begins while a call inside is
 * running would keep that call from ending.
 */
export class CallNesting {
  #transactions = 0;
  #calls = 0;

  /** Throws `BUSY` while a call inside has a transaction. Returns how to end it. */
  openTransaction(): () => void {
    if (this.#calls > 0)
      throw new SnapshotError("BUSY", {
        reason: "a tool call inside this one is still using the files; wait until it has ended",
      });
    this.#transactions++;
    return once(() => this.#transactions--);
  }

  /** Throws {@link InsideTransaction} while the handler has a transaction. Returns how to end it. */
  openCall(): () => void {
    if (this.#transactions > 0) throw new InsideTransaction();
    this.#calls++;
    return once(() => this.#calls--);
  }
}

/** A call that writes was made inside a transaction that its caller has open on the same files. */
export class InsideTransaction extends Error {}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
