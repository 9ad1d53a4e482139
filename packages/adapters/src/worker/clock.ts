import { LONGEST_TIMER_MS } from "../runtime/context/longest-timer.js";
/** Time as a worker sees it, so that a test can make it pass. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves when so long has passed, or at once when the signal aborts. Never rejects. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
}

/** The time of this machine. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  sleep: async (delayMs: number, signal: AbortSignal) => {
    for (let left = delayMs; left > 0 && !signal.aborted; left -= LONGEST_TIMER_MS)
      await timer(Math.min(left, LONGEST_TIMER_MS), signal);
  },
});

function timer(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(running);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const running = setTimeout(end, delayMs);
    signal.addEventListener("abort", end);
  });
}
