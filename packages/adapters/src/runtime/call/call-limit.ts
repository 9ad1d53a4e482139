import { onAbort } from "@wink/filesystem/internal";
import type { Deadline } from "@wink/prompt";
import { MAX_TIMER_MS } from "../context/max-timer.js";

/** Why a call was cancelled. */
export type CancelReason = "aborted" | "deadline" | "timed-out" | "parked";

/**
 * Everything that can cancel a call from outside: an abort, the run's deadline, the tool's
 * timeout.
 */
export class CallLimit {
  /**
   * Created lazily, and only if no existing signal can be used, because an AbortController is
   * expensive.
   */
  #controller: AbortController | undefined;
  readonly #outside: readonly AbortSignal[];
  readonly #timers: NodeJS.Timeout[] = [];
  /**
   * Rejects the pending races when the call is cancelled. Settled entries stay: there are only a
   * few per call, and rejecting them has no effect.
   */
  readonly #waiting: ((reason: unknown) => void)[] = [];
  readonly #hasTimeout: boolean;
  readonly #unsubscribe: readonly (() => void)[];
  #cancelled: CancelReason | undefined;
  #reason: unknown;

  /** @param hasTimeout whether `startTimeout` will be called */
  constructor(
    outside: readonly (AbortSignal | undefined)[],
    deadline: Deadline | undefined,
    hasTimeout = false,
  ) {
    this.#hasTimeout = hasTimeout;
    this.#outside = outside.filter((signal) => signal !== undefined);
    const aborted = this.#outside.find((signal) => signal.aborted);
    this.#unsubscribe = this.#outside.map((signal) =>
      onAbort(signal, () => this.#cancel("aborted", signal.reason)),
    );
    if (aborted !== undefined) this.#cancel("aborted", aborted.reason);
    else if (deadline?.expired) this.#cancel("deadline", new Error("the deadline has passed"));
    else if (deadline !== undefined) this.#start(deadline.remainingMs(), "deadline");
  }

  /** The signal for the handler. Reuses the run's signal if nothing else can cancel the call. */
  get signal(): AbortSignal {
    return this.signalIfAny ?? this.#own().signal;
  }

  /** The same signal, or `undefined` if nothing can cancel the call. */
  get signalIfAny(): AbortSignal | undefined {
    if (this.#controller !== undefined) return this.#controller.signal;
    const [first, ...others] = this.#outside;
    const hasOwnEnd = this.#hasTimeout || this.#timers.length > 0 || this.#cancelled !== undefined;
    return hasOwnEnd || others.length > 0 ? this.#own().signal : first;
  }

  /** Why pending races reject. `undefined` if the call is not cancelled. */
  get reason(): unknown {
    return this.#reason;
  }

  get cancelled(): CancelReason | undefined {
    return this.#cancelled;
  }

  throwIfCancelled(): void {
    if (this.#cancelled !== undefined) throw this.#reason;
  }

  startTimeout(timeoutMs: number | undefined): void {
    if (timeoutMs !== undefined) this.#start(timeoutMs, "timed-out");
  }

  /** Cancels the call because its run is parked. Returns the reason. */
  park(): unknown {
    this.#cancel("parked", new Error("the run is parked"));
    return this.#reason;
  }

  /**
   * Resolves like `work`, or rejects when the call is cancelled. A plain value is returned
   * synchronously.
   */
  race<T>(work: Promise<T> | T): Promise<T> | T {
    if (work instanceof Promise) return this.#raceAgainstEnd(work);
    this.throwIfCancelled();
    return work;
  }

  /** Four times faster than `Promise.race`. */
  #raceAgainstEnd<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#cancelled !== undefined) reject(this.#reason);
      else this.#waiting.push(reject);
      work.then(resolve, reject);
    });
  }

  /** Clears timers and listeners. After that the call can no longer be cancelled. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #start(delayMs: number, reason: CancelReason): void {
    const give = () => this.#cancel(reason, new Error(`the call was cancelled: ${reason}`));
    this.#timers.push(setTimeout(give, Math.min(delayMs, MAX_TIMER_MS)));
  }

  #cancel(why: CancelReason, reason: unknown): void {
    if (this.#cancelled !== undefined) return;
    this.#cancelled = why;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const reject of this.#waiting.splice(0)) reject(reason);
  }

  #own(): AbortController {
    if (this.#controller !== undefined) return this.#controller;
    this.#controller = new AbortController();
    if (this.#cancelled !== undefined) this.#controller.abort(this.#reason);
    return this.#controller;
  }
}
