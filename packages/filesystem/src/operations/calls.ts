import type { CallOptions } from "../protocol/filesystem.js";
import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";
import { knownError } from "./known-error.js";
import type { MutationQueue } from "./mutation-queue.js";
import { failure, type Target } from "./target.js";
import { targetOf, type Workspace } from "./workspace.js";

/** An operation. Most are given as they are: a function made for each call would cost more than looking up a file. */
type Body<T, Options extends CallOptions> = (
  workspace: Workspace,
  target: Target,
  options: Options,
) => MaybePromise<T>;

/** Apart from its only caller, so that a call which is answered at once makes no closure. */
function knowingErrors<T>(
  result: Promise<T>,
  target: Target,
  signal: AbortSignal | undefined,
): Promise<T> {
  return result.catch((error: unknown) => {
    throw knownError(error, target, signal);
  });
}

/** Refuses what the types rule out, but a caller without types may give. Apart, because it is hardly ever called. */
function refuseOptions(operation: string, given: string, options: unknown): never {
  const isObject = typeof options === "object" && options !== null;
  const reason = isObject ? "signal must be an AbortSignal" : "options must be an object";
  throw failure({ operation, given }, "EINVAL", reason);
}

/**
 * Takes each call of a filesystem to its operation: its path through the normaliser, in its turn among the
 * others, and with nothing but a `FilesystemError` or the signal's reason coming out.
 */
export class Calls {
  readonly #workspace: Workspace;
  readonly #queue: MutationQueue;

  constructor(workspace: Workspace, queue: MutationQueue) {
    this.#workspace = workspace;
    this.#queue = queue;
  }

  /** For what looks once. Makes one promise for an answer that is at hand. */
  look<T, Options extends CallOptions>(
    operation: string,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    const result = this.#try(operation, path, options, body);
    return isPromise(result) ? result : Promise.resolve(result);
  }

  /** For what looks more than once: nothing changes in between. */
  lookInTurn<T, Options extends CallOptions>(
    operation: string,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    return this.#queue.share(() => this.look(operation, path, options, body));
  }

  /** A driver that has this member answers in one step, or copes with changes on its way. */
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

  /** Apart from its only caller, so that a change for which nobody waits makes no closure. */
  #changeLater<T, Options extends CallOptions>(
    operation: string,
    path: string,
    options: Options,
    body: Body<T, Options>,
  ): Promise<T> {
    return this.#queue.run(() => this.#try(operation, path, options, body));
  }

  /** Answers at once where the body does. */
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
