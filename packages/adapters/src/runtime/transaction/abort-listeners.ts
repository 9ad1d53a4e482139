type Listener = (event: Event) => void;

interface Entry {
  /** `undefined` while no call listens. */
  signal: AbortSignal | undefined;
  readonly listeners: Listener[];
}

/**
 * The listeners of all calls for the abort of their signals, with one real listener for each
 * signal. Node warns about a leak when a signal has more than ten, and a turn may have more calls.
 */
export class AbortListeners {
  /** Entries are reused: a new collection for each call would survive young garbage collections. */
  readonly #entries: Entry[] = [];

  /** Returns a function that removes the listener. */
  subscribe(signal: AbortSignal, listener: Listener): () => void {
    const entry = this.#entries.find((each) => each.signal === signal) ?? this.#open(signal);
    entry.listeners.push(listener);
    return () => {
      const index = entry.listeners.indexOf(listener);
      if (index < 0) return;
      entry.listeners.splice(index, 1);
      if (entry.listeners.length > 0) return;
      signal.removeEventListener("abort", this.#tellAll);
      entry.signal = undefined;
    };
  }

  #open(signal: AbortSignal): Entry {
    let entry = this.#entries.find((each) => each.signal === undefined);
    if (entry === undefined) {
      entry = { signal, listeners: [] };
      this.#entries.push(entry);
    }
    entry.signal = signal;
    signal.addEventListener("abort", this.#tellAll);
    return entry;
  }

  readonly #tellAll = (event: Event): void => {
    const entry = this.#entries.find(({ signal }) => signal === event.target);
    for (const listener of [...(entry?.listeners ?? [])]) listener(event);
  };
}
