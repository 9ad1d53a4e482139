import type { CallOptions } from "../protocol/filesystem.js";
import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";
import { knownError } from "./known-error.js";
import type { MutationQueue } from "./mutation-queue.js";
import { failure, type Target } from "./target.js";
import { targetOf, type Workspace } from "./workspace.js";

/**
 * An operation. Most are passed as they are, because creating a function for each call would cost more than finding a
 * file.
 */
type Body<T, Options extends CallOptions> = (
  workspace: Workspace,
  target: Target,
  options: Options,
) => MaybePromise<T>;

/** Separate from its only caller, so that a synchronous call allocates no closure. */
function knowingErrors<T>(
  result: Promise<T>,
  target: Target,
  signal: AbortSignal | undefined,
): Promise<T> {
  return result.catch((error: unknown) => {
    throw knownError(error, target, signal);
  });
}

/** Refuses options that the types forbid but an untyped caller may pass. Separate, because it is rarely called. */
function refuseOptions(operation: string, given: string, options: unknown): never {
  const isObject = typeof options === "object" && options !== null;
  const reason = isObject ? "signal must be an AbortSignal" : "options must be an object";
  throw failure({ operation, given }, "EINVAL", reason);
}

/**
 * Runs the operation of each call: normalises the path, queues the call where needed, and rejects only with
 * a `FilesystemError` or the signal's reason.
 */
export class Calls {
  readonly #workspace: Workspace;
  readonly #queue: MutationQueue;

  constructor(workspace: Workspace, queue: MutationQueue) {
    this.#workspace = workspace;
    this.#queue = queue;
  }

  /** For a call that reads once and needs no queue. A synchronous answer costs one promise. */
  look<T, Options extends CallOptions>(
    operation: string,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    const result = this.#try(operation, path, options, body);
    return isPromise(result) ? result : Promise.resolve(result);
  }

  /** For a call that reads several times. Changes wait until it ends. */
  lookInTurn<T, Options extends CallOptions>(
    operation: string,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    return this.#queue.share(() => this.look(operation, path, options, body));
  }

  /**
   * Skips the queue when the driver has this member: such a driver answers in one step, or handles concurrent
   * changes.
   */
  lookInTurnUnless<T, Options extends CallOptions>(
    member: unknown,
    operation: string,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    return member === undefined
      ? this.lookInTurn(operation, path, options, body)
      : this.look(operation, path, options, body);
  }

  change<T, Options extends CallOptions>(
    operation: string,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    return this.#queue.isFree
      ? this.#queue.follow(this.#try(operation, path, options, body))
      : this.#changeLater(operation, path, options, body);
  }

  /** Separate from its only caller, so that a change that need not wait allocates no closure. */
  #changeLater<T, Options extends CallOptions>(
    operation: string,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    return this.#queue.run(() => this.#try(operation, path, options, body));
  }

  /** Synchronous if the body is. */
  #try<T, Options extends CallOptions>(
    operation: string,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): MaybePromise<T> {
    let target: Target | undefined;
    try {
      if (typeof options !== "object" || options === null) refuseOptions(operation, path, options);
      const { signal } = options;
      if (signal) {
        if (typeof signal.throwIfAborted !== "function") refuseOptions(operation, path, options);
        signal.throwIfAborted();
      }
      target = targetOf(this.#workspace, operation, path);
      const result = body(this.#workspace, target, options);
      return isPromise(result) ? knowingErrors(result, target, signal) : result;
    } catch (error) {
      return Promise.reject(
        knownError(error, target ?? { operation, given: path }, options?.signal),
      );
    }
  }
}
