/** A step takes a few nanoseconds, so this is about 2 ms, and far below 100 ms on a slow machine. */
const STEPS_PER_TURN = 500_000;

/**
 * Counts the steps of long work and yields to the event loop after every 500,000 of them.
 *
 * A step processes one character, byte or line. `spend` is synchronous, so that an inner loop does not
 * create a promise per item: `if (steps.spend(n)) await steps.pause();`
 */
export class StepCounter {
  #total = 0;
  #sincePause = 0;
  #maxPerTurn = 0;

  /** The number of all steps so far. */
  get total(): number {
    return this.#total;
  }

  /** The largest number of steps between two pauses. */
  get maxPerTurn(): number {
    return this.#maxPerTurn;
  }

  /** Returns whether it is time to pause. */
  spend(steps: number): boolean {
    this.#total += steps;
    this.#sincePause += steps;
    this.#maxPerTurn = Math.max(this.#maxPerTurn, this.#sincePause);
    return this.#sincePause >= STEPS_PER_TURN;
  }

  async pause(): Promise<void> {
    await nextTurn();
    this.#sincePause = 0;
  }
}

/** Resolves in a later turn of the event loop, after all pending events. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof globalThis.setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
