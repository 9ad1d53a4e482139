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
    if (signal.aborted) stop();
    else addListener(signal, stop);
    work.then(
      async (result) => {
        removeListener(signal, stop);
        if (!isAborted) resolve(result);
        // Its errors have no caller any more.
        else await Promise.resolve(discard(result)).catch(() => {});
      },
      (error: unknown) => {
        removeListener(signal, stop);
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

function addListener(signal: AbortSignal, stop: () => void): void {
  const known = listeners.get(signal);
  if (known !== undefined) {
    known.stops.add(stop);
    return;
  }
  const stops = new Set([stop]);
  const stopAll = () => {
    for (const each of stops) each();
  };
  listeners.set(signal, { stops, stopAll });
  signal.addEventListener("abort", stopAll, { once: true });
}

function removeListener(signal: AbortSignal, stop: () => void): void {
  const known = listeners.get(signal);
  if (!known?.stops.delete(stop) || known.stops.size > 0) return;
  listeners.delete(signal);
  signal.removeEventListener("abort", known.stopAll);
}
