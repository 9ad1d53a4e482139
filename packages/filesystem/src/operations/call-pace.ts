import { nextTurn } from "../content/time-slices.js";

/** Calls that run longer without a pause block the rest of the process noticeably. */
const SLICE_MS = 10;
/** The clock is read once per this many calls, because reading it costs as much as finding a file in memory. */
const CALLS_PER_LOOK = 8;

/**
 * Lets other events run between many short calls.
 *
 * Memory and the host answer synchronously, so a loop of awaited calls would otherwise never reach the next turn of the
 * event loop: no timer, no progress line, no Ctrl-C.
 */
export class CallPace {
  #calls = 0;
  /** `undefined` if no call has read the clock in this turn of the event loop. */
  #turnEndMs: number | undefined;

  /** Returns the result of a call, after a pause if the calls of this turn have taken long. */
  after<T>(result: Promise<T>): Promise<T> {
    if (++this.#calls < CALLS_PER_LOOK) return result;
    this.#calls = 0;
    if (!this.#isOver()) return result;
    return result.then((value) => nextTurn().then(() => value));
  }

  #isOver(): boolean {
    const nowMs = performance.now();
    if (this.#turnEndMs !== undefined) return nowMs >= this.#turnEndMs;
    this.#turnEndMs = nowMs + SLICE_MS;
    void nextTurn().then(() => {
      this.#turnEndMs = undefined;
    });
    return false;
  }
}
