const SLICE_MS = 8;

/**
 * Lets long synchronous work breathe: await `rest` whenever `due`.
 *
 * A promise for every file would cost many times what the file does.
 */
export class TimeSlice {
  readonly #signal: AbortSignal | undefined;
  #startedAtMs = performance.now();

  /** Work whose signal is aborted ends at its next rest, with the signal's reason. */
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

  /** Does `work` to its end, resting between its steps whenever that is due. */
  async finish<T>(work: Generator<void, T, void>): Promise<T> {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (this.due) await this.rest();
    }
  }
}
