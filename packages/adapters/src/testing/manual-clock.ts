import type { Clock } from "../worker/clock.js";

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}

/** Time that passes when a test says so. */
export class ManualClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  #nowMs: number;

  /** @param startMs milliseconds since 1970 */
  constructor(startMs = 0) {
    this.#nowMs = startMs;
  }

  /** How many wait for time to pass. */
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
   * Lets time pass: whoever's time has come wakes, the earliest first, and has
   * done what follows at once, and perhaps sleeps again, before time goes on.
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

/** Lets everything happen that waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
