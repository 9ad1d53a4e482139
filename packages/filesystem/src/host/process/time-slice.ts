const SLICE_MS = 8;

/**
 * Lets long synchronous work yield to the event loop: await `rest` whenever `due` is true.
 *
 * Awaiting a promise per file would cost many times more than the work on the file.
 */
export class TimeSlice {
  readonly #signal: AbortSignal | undefined;
  #startedAtMs = performance.now();

  /** `rest` rejects with the signal's reason if `signal` is aborted. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get due(): boolean {
    return performance.now() - this.#startedAtMs > SLICE_MS;
  }

  async rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#signal?.throwIfAborted();
    this.#startedAtMs = performance.now();
  }

  /** Runs `work` to its end and yields to the event loop between steps whenever that is due. */
  async finish<T>(work: Generator<void, T, void>): Promise<T> {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (this.due) await this.rest();
    }
  }
}
