import { isStoreError, StoreError } from "../engine/store-error.js";

/** How long a call tries, and what ends it earlier. */
export interface Patience {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How long a call tries unless an option says otherwise. */
export const DEFAULT_TIMEOUT_MS = 30_000;

const FIRST_DELAY_MS = 20;
const MAX_DELAY_MS = 1000;

/**
 * Repeats a call that changes nothing, until the server answers or the time is over. Then nothing has happened.
 *
 * An aborted call rejects immediately with the reason of the signal.
 */
export async function retry<T>(call: () => Promise<T>, patience: Patience): Promise<T> {
  try {
    return await retryWrite(call, patience);
  } catch (error) {
    if (!isStoreError(error, "UNKNOWN")) throw error;
    throw new StoreError("UNREACHABLE", error.subject, undefined, { cause: error });
  }
}

/** Repeats a call that may safely be repeated. If the time is over, it may have been executed. */
export async function retryWrite<T>(call: () => Promise<T>, patience: Patience): Promise<T> {
  const limit = deadline(patience);
  let delayMs = FIRST_DELAY_MS;
  for (;;) {
    try {
      return await limit.race(call());
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      if (!(await limit.sleep(delayMs))) throw error;
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    }
  }
}

/** Whether the server did not answer, so the call may be repeated. */
export function isUnanswered(error: unknown): error is StoreError {
  return isStoreError(error, "UNREACHABLE") || isStoreError(error, "UNKNOWN");
}

export interface Deadline {
  /** Rejects with `UNKNOWN` when the time is over, and with the signal's reason when it is aborted. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Resolves to `false` without waiting if the deadline is before the end of the delay. */
  sleep(delayMs: number): Promise<boolean>;
}

export function deadline({ timeoutMs, signal }: Patience): Deadline {
  const endMs = performance.now() + timeoutMs;
  return {
    race: (promise) => raceUntil(promise, endMs, signal),
    async sleep(delayMs) {
      if (performance.now() + delayMs >= endMs) return false;
      await raceUntil(
        new Promise((resolve) => {
          setTimeout(resolve, delayMs);
        }),
        endMs,
        signal,
      );
      return true;
    },
  };
}

function raceUntil<T>(
  promise: Promise<T>,
  endMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  // A promise that settles after the race must not be an unhandled rejection.
  promise.catch(() => {});
  return new Promise((resolve, reject) => {
    const onAbort = () => finish(() => reject(signal?.reason));
    const timer = setTimeout(
      () => finish(() => reject(new StoreError("UNKNOWN", "store"))),
      Math.max(0, endMs - performance.now()),
    );
    function finish(settle: () => void): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      settle();
    }
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    promise.then(
      (value) => finish(() => resolve(value)),
      (error) => finish(() => reject(error)),
    );
  });
}
