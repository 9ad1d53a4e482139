import type { CallOptions } from "../protocol/filesystem.js";
import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";
import { abortable } from "./abortable.js";
import { checkOptions, isStateOperation, type Operation } from "./call-options.js";
import { CallPace } from "./call-pace.js";
import { knownError, knownStateError } from "./known-error.js";
import { MutationQueue } from "./mutation-queue.js";
import {
  TransactionQueue,
  type TransactionTurn,
  type TransactSettings,
} from "./transaction-queue.js";
import { type Target, targetOf, type Workspace } from "./workspace.js";

/**
 * An operation. Most are passed as they are, because creating a function for each call would cost more than finding a
 * file.
 */
type Body<T, Options extends CallOptions> = (
  workspace: Workspace,
  target: Target,
  options: Options,
) => MaybePromise<T>;

/**
 * Runs the operation of each call: checks the options, normalises the path, queues the call where needed, and rejects
 * only with an error of this package or the signal's reason.
 */
export class Calls {
  readonly workspace: Workspace;
  readonly #transactions: TransactionQueue;
  /** The transaction of all calls. `undefined` means the transaction of the caller's async context. */
  readonly #turn: TransactionTurn | undefined;
  readonly #queue: MutationQueue;
  readonly #pace: CallPace;

  /** @param inside makes calls that are part of a running transaction of other calls */
  constructor(
    workspace: Workspace,
    inside?: { readonly calls: Calls; readonly turn: TransactionTurn },
  ) {
    this.workspace = workspace;
    this.#transactions = inside ? inside.calls.#transactions : new TransactionQueue();
    this.#queue = inside ? inside.calls.#queue : new MutationQueue();
    this.#pace = inside ? inside.calls.#pace : new CallPace();
    this.#turn = inside?.turn;
  }

  /** For a call that reads once and needs no queue. A synchronous answer costs one promise. */
  read<T, Options extends CallOptions>(
    operation: Operation,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    const result = this.#try(operation, path, options, body);
    return this.#pace.after(
      isPromise(result) ? abortable(result, signalOf(options), release) : Promise.resolve(result),
    );
  }

  /** For a call that reads several times. Changes wait until it ends. */
  readConsistently<T, Options extends CallOptions>(
    operation: Operation,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    const reading = this.#queue.share(() => {
      const result = this.#try(operation, path, options, body);
      return isPromise(result) ? result : Promise.resolve(result);
    });
    return this.#pace.after(abortable(reading, signalOf(options), release));
  }

  /**
   * For a call that changes files or snapshots. Such calls run one at a time. After an abort the next one waits until the
   * driver has answered.
   */
  change<T, Options extends CallOptions>(
    operation: Operation,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    const transactions = this.#transactions.enter(this.#turn);
    if (this.workspace.driver.settle !== undefined)
      return this.#changeAndSettle(transactions, operation, path, options, body);
    const changing =
      transactions === undefined && this.#queue.isFree
        ? this.#queue.follow(this.#try(operation, path, options, body))
        : this.#changeLater(transactions, operation, path, options, body);
    return this.#pace.after(abortable(changing, signalOf(options), release));
  }

  /** For a change that begins or ends a transaction. It waits for other changes, but not for transactions. */
  changeNow<T, Options extends CallOptions>(
    operation: Operation,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    if (this.workspace.driver.settle !== undefined)
      return this.#changeAndSettle(undefined, operation, ".", options, body);
    const changing = this.#changeLater(undefined, operation, ".", options, body);
    return abortable(changing, signalOf(options), release);
  }

  /** Runs `body` with the calls of a transaction, which other changes and transactions wait for. */
  transact<T>(
    settings: Omit<TransactSettings, "turn">,
    body: (inside: Calls) => Promise<T> | T,
  ): Promise<T> {
    return this.#transactions.transact({ ...settings, turn: this.#turn }, (turn) =>
      body(new Calls(this.workspace, { calls: this, turn })),
    );
  }

  /** Makes a function that queues later changes of a stream, in the transaction in which the stream was opened. */
  changeQueue(): <T>(change: () => Promise<T>) => Promise<T> {
    const turn = this.#turn ?? this.#transactions.current;
    return (change) => {
      const transactions = this.#transactions.enter(turn);
      return transactions === undefined
        ? this.#queue.run(() => this.#settled(change()))
        : transactions.then(() => this.#queue.run(() => this.#settled(change())));
    };
  }

  /** For a driver that stores what a call has changed when the call ends. */
  #changeAndSettle<T, Options extends CallOptions>(
    transactions: Promise<void> | undefined,
    operation: Operation,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    const signal = signalOf(options);
    const phase = { isFinal: false };
    const run = () =>
      this.#queue.run(() => {
        const changing = this.#try(operation, path, options, body);
        const settled = this.#settled(changing, signal, phase);
        if (!isPromise(settled)) return settled;
        return settled.catch((error: unknown) => {
          throw convert(error, operation, { operation, given: path }, signal);
        });
      });
    const changing = transactions === undefined ? run() : transactions.then(run);
    return this.#pace.after(abortable(changing, signal, release, () => phase.isFinal));
  }

  /**
   * Lets the driver store what a call has changed, or undo it if the call was aborted before. Synchronous if nothing has
   * to be waited for, as in a transaction.
   */
  #settled<T>(
    changing: MaybePromise<T>,
    signal?: AbortSignal,
    phase = { isFinal: false },
  ): MaybePromise<T> {
    if (isPromise(changing) || signal !== undefined)
      return this.#settledLater(changing, signal, phase);
    phase.isFinal = true;
    const settling = this.workspace.driver.settle?.({ undo: false });
    return isPromise(settling) ? settling.then(() => changing) : changing;
  }

  async #settledLater<T>(
    changing: MaybePromise<T>,
    signal: AbortSignal | undefined,
    phase: { isFinal: boolean },
  ): Promise<T> {
    const { driver } = this.workspace;
    let result: T;
    try {
      result = await changing;
      if (signal?.aborted) await driver.settle?.({ undo: true });
      signal?.throwIfAborted();
    } catch (error) {
      // The first problem is what the caller must know.
      await Promise.resolve(driver.settle?.({ undo: false })).catch(() => {});
      throw error;
    }
    phase.isFinal = true;
    const settling = driver.settle?.({ undo: false });
    if (isPromise(settling)) await settling;
    return result;
  }

  /** Separate from its callers, so that a change that need not wait allocates no closure. */
  #changeLater<T, Options extends CallOptions>(
    transactions: Promise<void> | undefined,
    operation: Operation,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    const run = () => this.#queue.run(() => this.#try(operation, path, options, body));
    return transactions === undefined ? run() : transactions.then(run);
  }

  /** Synchronous if the body is. */
  #try<T, Options extends CallOptions>(
    operation: Operation,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): MaybePromise<T> {
    let target: Target | undefined;
    try {
      checkOptions(operation, path, options)?.throwIfAborted();
      target = targetOf(this.workspace, operation, path, options);
      const result = body(this.workspace, target, options);
      return isPromise(result) ? convertErrors(result, operation, target, options.signal) : result;
    } catch (error) {
      const call = target ?? { operation, given: path };
      return Promise.reject(convert(error, operation, call, options?.signal));
    }
  }
}

/** `undefined` for anything else, which `checkOptions` refuses. */
function signalOf(options: CallOptions | undefined): AbortSignal | undefined {
  const signal = options?.signal;
  return typeof signal?.throwIfAborted === "function" ? signal : undefined;
}

/** Closes the result of a call that its caller has aborted: a stream, a transaction or the driver of a fork. */
async function release(result: unknown): Promise<void> {
  const { abort, close, [Symbol.asyncDispose]: end } = (result ?? {}) as Partial<Releasable>;
  await (abort ?? close ?? end)?.call(result);
}

interface Releasable extends AsyncDisposable {
  abort(): unknown;
  close(): unknown;
}

/** Separate from its only caller, so that a synchronous call allocates no closure. */
function convertErrors<T>(
  result: Promise<T>,
  operation: Operation,
  target: Target,
  signal: AbortSignal | undefined,
): Promise<T> {
  return result.catch((error: unknown) => {
    throw convert(error, operation, target, signal);
  });
}

function convert(
  error: unknown,
  operation: Operation,
  call: Parameters<typeof knownError>[1],
  signal: AbortSignal | undefined,
): unknown {
  return isStateOperation(operation)
    ? knownStateError(error, operation, signal)
    : knownError(error, call, signal);
}
