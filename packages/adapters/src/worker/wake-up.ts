import type { Clock } from "./clock.js";
import type { TakeOptions } from "./request-queue.js";

/** Wakes the calls of `take` that wait for a request. */
export class WakeUp {
  readonly #sleepers = new Set<() => void>();
  #calls = 0;

  /** A request may be due now. */
  wake(): void {
    this.#calls += 1;
    for (const sleeper of [...this.#sleepers]) sleeper();
  }

  /**
   * Calls `take` until it returns a request or `waitMs` is over.
   *
   * @param pollMs the maximum time between two calls of `take`
   */
  async untilTaken<T>(
    clock: Clock,
    { waitMs = 0, signal }: TakeOptions,
    take: () => T | undefined | Promise<T | undefined>,
    pollMs: () => number,
  ): Promise<T | undefined> {
    const endMs = clock.now() + waitMs;
    while (!signal?.aborted) {
      const calls = this.#calls;
      const taken = await take();
      const leftMs = endMs - clock.now();
      if (taken !== undefined || leftMs <= 0) return taken;
      // A wake-up during the call may be about a request that the call did not see.
      if (calls === this.#calls) await this.#sleep(clock, Math.min(leftMs, pollMs()), signal);
    }
    return undefined;
  }

  async #sleep(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    // It may have aborted during the call of `take`.
    if (signal?.aborted) return;
    const awake = new AbortController();
    const wake = () => awake.abort();
    this.#sleepers.add(wake);
    signal?.addEventListener("abort", wake);
    await clock.sleep(delayMs, awake.signal);
    signal?.removeEventListener("abort", wake);
    this.#sleepers.delete(wake);
  }
}
