import { FilesystemError } from "../protocol/filesystem-error.js";
import type { FilesystemTransaction } from "../snapshots/filesystem-snapshot.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";
import { abortable } from "./abortable.js";
import { createAsyncContext } from "./async-context.js";

/** A running `transact`, or a queue's root. Transactions inside it are queued. */
export class TransactionTurn {
  readonly outer: TransactionTurn | undefined;
  isOpen = true;
  isRolledBack = false;
  /** How many transactions inside it are queued or running. */
  inside = 0;
  /** Resolves when all of them have ended. */
  last: Promise<unknown> = Promise.resolve();
  /** The running transaction. */
  running: TransactionTurn | undefined;
  /** Makes its body fail. */
  stop: (error: unknown) => void = () => {};

  constructor(outer?: TransactionTurn) {
    this.outer = outer;
  }
}

/** The turns of one async context, one for each filesystem that has a transaction in it. */
interface Turns {
  readonly queue: TransactionQueue;
  readonly turn: TransactionTurn;
  readonly others: Turns | undefined;
}

const sharedContext = createAsyncContext<Turns>();

export interface TransactSettings {
  /** Begins the transaction. It must not wait in this queue. */
  readonly begin: (
    turn: TransactionTurn,
  ) => Promise<Pick<FilesystemTransaction, "commit" | "rollback">>;
  /** The caller's place in the queue. @default the place of the async context */
  readonly turn?: TransactionTurn | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the transactions of one filesystem one after the other. A transaction inside another one is a savepoint of it.
 *
 * It recognises the code inside a transaction by its async context, or by the filesystem that the body gets. Where the
 * runtime has no async context, only the latter works.
 */
export class TransactionQueue {
  readonly #root = new TransactionTurn();
  #context = sharedContext;

  /** A queue as in a runtime without an async context, for tests. */
  static withoutContext(): TransactionQueue {
    const queue = new TransactionQueue();
    queue.#context = undefined;
    return queue;
  }

  /** The transaction that the caller is in. */
  get current(): TransactionTurn | undefined {
    let turns = this.#context?.getStore();
    while (turns !== undefined && turns.queue !== this) turns = turns.others;
    return turns?.turn;
  }

  /**
   * Waits until the transactions inside the caller's transaction have ended, because a change of the caller must not
   * become part of them. Returns `undefined` if there are none. Rejects inside a transaction that was rolled back.
   */
  enter(turn: TransactionTurn | undefined = this.current): Promise<void> | undefined {
    if (turn === undefined && (this.#root.inside === 0 || this.#context === undefined))
      return undefined;
    try {
      const { inside, last } = this.#openTurn(turn);
      return inside === 0 ? undefined : last.then(() => void this.#openTurn(turn));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Makes the running transactions fail. */
  stop(error: unknown): void {
    this.#root.running?.stop(error);
  }

  /** Commits what `body` did if it succeeds, and rolls it back if it fails or is aborted. */
  async transact<T>(
    settings: TransactSettings,
    body: (turn: TransactionTurn) => Promise<T> | T,
  ): Promise<T> {
    const { begin, turn: given = this.current, signal } = settings;
    signal?.throwIfAborted();
    const outer = this.#openTurn(given);
    const turn = new TransactionTurn(outer);
    const before = outer.last;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    outer.inside++;
    outer.last = Promise.all([before, ended]).then(() => outer.inside--);
    try {
      await abortable(before, signal);
      this.#openTurn(given);
      outer.running = turn;
      return await this.#run(turn, await begin(turn), body, signal);
    } finally {
      outer.running = undefined;
      end();
    }
  }

  async #run<T>(
    turn: TransactionTurn,
    transaction: Pick<FilesystemTransaction, "commit" | "rollback">,
    body: (turn: TransactionTurn) => Promise<T> | T,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    try {
      const stopped = new Promise<never>((_, reject) => {
        turn.stop = reject;
      });
      const running = this.#inContext(turn, async () => await body(turn));
      const result = await abortable(Promise.race([running, stopped]), signal);
      // The body may not have waited for the transactions inside it.
      while (turn.inside > 0) await turn.last;
      await transaction.commit();
      turn.isOpen = false;
      return result;
    } catch (error) {
      turn.isRolledBack = true;
      turn.running?.stop(rolledBack());
      while (turn.inside > 0) await turn.last;
      await transaction.rollback().catch((cause: unknown) => {
        throw new SnapshotError("INCOMPLETE", {
          reason: "a failed transaction could not be rolled back",
          cause: new AggregateError([error, cause], "transact"),
        });
      });
      turn.isOpen = false;
      throw error;
    }
  }

  #inContext<T>(turn: TransactionTurn, body: () => T): T {
    const context = this.#context;
    if (context === undefined) return body();
    return context.run({ queue: this, turn, others: context.getStore() }, body);
  }

  /** The innermost transaction of the caller that has not been committed, or the root. */
  #openTurn(turn: TransactionTurn | undefined): TransactionTurn {
    let open: TransactionTurn | undefined;
    for (let each = turn; each !== undefined; each = each.outer) {
      if (each.isRolledBack) throw rolledBack();
      if (each.isOpen) open ??= each;
    }
    return open ?? this.#root;
  }
}

function rolledBack(): FilesystemError {
  return new FilesystemError("EBADF", {
    operation: "transact",
    path: ".",
    reason: "the transaction was rolled back",
    advice: "Start another one.",
  });
}
