import { invalid } from "../runtime/context/require-options.js";
import type { Clock } from "../worker/clock.js";

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}

/** A clock that advances only when a test calls `advance`. */
export class ManualClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  #nowMs: number;

  /** @param startMs milliseconds since 1970 */
  constructor(startMs = 0) {
    if (typeof startMs !== "number") throw invalid("ManualClock", "pass milliseconds since 1970.");
    this.#nowMs = startMs;
  }

  /** How many calls of `sleep` are pending. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  now(): number {
    return this.#nowMs;
  }

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    if (delayMs <= 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper = { untilMs: this.#nowMs + delayMs, wake };
      this.#sleepers.add(sleeper);
      signal.addEventListener("abort", wake);
    });
  }

  /**
   * Advances the time. Wakes sleepers in the order of their wake-up times. Each one runs its
   * immediate work, and may sleep again, before the time advances further.
   */
  async advance(delayMs: number): Promise<void> {
    const endMs = this.#nowMs + delayMs;
    for (;;) {
      await settle();
      const next = [...this.#sleepers].sort((a, b) => a.untilMs - b.untilMs)[0];
      if (next === undefined || next.untilMs > endMs) break;
      this.#nowMs = Math.max(this.#nowMs, next.untilMs);
      next.wake();
    }
    this.#nowMs = endMs;
    await settle();
  }
}

/** Runs all pending callbacks that do not wait for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
