import { MAX_TIMER_MS } from "../runtime/context/max-timer.js";
/** The worker's source of time. Tests replace it to control time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `delayMs`, or immediately when the signal aborts. Never rejects. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
}

/** The system clock. Sleeps longer than the maximum timer delay are split. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  sleep: async (delayMs: number, signal: AbortSignal) => {
    for (let left = delayMs; left > 0 && !signal.aborted; left -= MAX_TIMER_MS)
      await timer(Math.min(left, MAX_TIMER_MS), signal);
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
