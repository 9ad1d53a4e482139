type Listener = (event: Event) => void;

/**
 * The listeners of all calls for the abort of their signals, with one real listener for each
 * signal. Node warns about a leak when a signal has more than ten, and a turn may have more calls.
 */
export class AbortListeners {
  readonly #bySignal = new Map<AbortSignal, Set<Listener>>();

  /** Returns a function that removes the listener. */
  subscribe(signal: AbortSignal, listener: Listener): () => void {
    const known = this.#bySignal.get(signal);
    const listeners = known ?? new Set();
    listeners.add(listener);
    if (known === undefined) {
      this.#bySignal.set(signal, listeners);
      signal.addEventListener("abort", this.#tellAll);
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      signal.removeEventListener("abort", this.#tellAll);
      if (this.#bySignal.get(signal) === listeners) this.#bySignal.delete(signal);
    };
  }

  readonly #tellAll = (event: Event): void => {
    const signal = event.target as AbortSignal;
    for (const listener of [...(this.#bySignal.get(signal) ?? [])]) listener(event);
  };
}
