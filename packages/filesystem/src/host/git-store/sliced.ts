import type { HostRoot } from "../containment/host-root.js";
import { TimeSlice } from "../process/time-slice.js";

export interface SlicedOptions {
  /** Checked after every pause: the work stops if the root was closed. */
  readonly root?: HostRoot | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs work in small steps and yields to the event loop whenever a time slice is over. */
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
    // Lets cancelled work close its descriptors. Has no effect on finished work.
    steps.return(undefined as T);
  }
}
