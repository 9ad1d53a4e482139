import type { HostRoot } from "../containment/host-root.js";
import { TimeSlice } from "../process/time-slice.js";

export interface SlicedOptions {
  /** Asked after every pause whether it is still open. */
  readonly root?: HostRoot | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs work that goes in small steps, and lets everybody else in now and then.
 *
 * Answers at once, without a promise, only inside: the caller always gets one.
 */
export async function sliced<T>(
  steps: Generator<unknown, T, undefined>,
  { root, signal }: SlicedOptions = {},
): Promise<T> {
  const slice = new TimeSlice();
  try {
    signal?.throwIfAborted();
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value as T;
      if (!slice.due) continue;
      await slice.rest();
      root?.requireOpen();
      signal?.throwIfAborted();
    }
  } finally {
    // Lets the work close what it holds when it is given up; done work does not mind.
    steps.return(undefined as T);
  }
}
