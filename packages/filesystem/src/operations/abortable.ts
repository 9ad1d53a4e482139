/**
 * Settles like `work`, or rejects with the signal's reason as soon as that is aborted. The work continues, and `discard`
 * gets its result when it ends.
 *
 * @param isFinal whether the work can no longer be undone, so that its caller must learn how it ends
 */
export function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  discard: (result: T) => unknown = () => {},
  isFinal: () => boolean = () => false,
): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    let isAborted = false;
    const stop = () => {
      if (isFinal()) return;
      isAborted = true;
      reject(signal.reason);
    };
    let unsubscribe = () => {};
    if (signal.aborted) stop();
    else unsubscribe = onAbort(signal, stop);
    work.then(
      async (result) => {
        unsubscribe();
        if (!isAborted) resolve(result);
        // Its errors have no caller any more.
        else await Promise.resolve(discard(result)).catch(() => {});
      },
      (error: unknown) => {
        unsubscribe();
        reject(error);
      },
    );
  });
}

interface Listeners {
  readonly stops: Set<() => void>;
  readonly stopAll: () => void;
}

/** One listener per signal for all its calls, because Node warns about a leak when a signal has more than ten. */
const listeners = new WeakMap<AbortSignal, Listeners>();

/** Calls `stop` when the signal is aborted. Returns a function that removes it. */
export function onAbort(signal: AbortSignal, stop: () => void): () => void {
  const known = listeners.get(signal) ?? listen(signal);
  known.stops.add(stop);
  return () => {
    if (!known.stops.delete(stop) || known.stops.size > 0) return;
    listeners.delete(signal);
    signal.removeEventListener("abort", known.stopAll);
  };
}

function listen(signal: AbortSignal): Listeners {
  const stops = new Set<() => void>();
  const stopAll = () => {
    for (const each of stops) each();
  };
  signal.addEventListener("abort", stopAll, { once: true });
  listeners.set(signal, { stops, stopAll });
  return { stops, stopAll };
}
