import { deadline } from "./retry.js";

const MAX_WAIT_MS = 2 ** 31 - 1;

/**
 * Contents are placed and stored concurrently, but not while a sweep runs: it would delete a content that is stored after
 * the sweep has listed the contents in flight.
 */
export class SweepGate {
  readonly #active = new Set<Promise<unknown>>();
  #sweep: Promise<unknown> | undefined;

  async store<T>(body: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    while (this.#sweep !== undefined)
      await deadline({ timeoutMs: MAX_WAIT_MS, signal }).race(this.#sweep);
    const result = body();
    this.#active.add(result);
    try {
      return await result;
    } finally {
      this.#active.delete(result);
    }
  }

  /** Sweeps must be serialised by the caller. */
  async sweep<T>(body: () => Promise<T>): Promise<T> {
    const result = Promise.allSettled(this.#active).then(body);
    this.#sweep = result.catch(() => {});
    try {
      return await result;
    } finally {
      this.#sweep = undefined;
    }
  }
}
