import { invalidArgument } from "../protocol/filesystem-error.js";

/** Work that runs longer without a pause blocks the rest of the process noticeably. */
const SLICE_MS = 10;
/** The clock is read once per this many units of work, because reading it costs more than checking a name. */
export const WORK_PER_LOOK = 64;

/**
 * Splits long work into slices and lets other events run in between.
 *
 * `spend` is for inner loops and costs almost nothing. When it returns `true`, call `await pause()`.
 */
export class TimeSlices {
  readonly #signal: AbortSignal | undefined;
  readonly #afterPause: (() => void) | undefined;
  #sliceEndMs = performance.now() + SLICE_MS;
  #work = 0;

  /** @param afterPause called after each pause; it throws if the work must end */
  constructor(signal?: AbortSignal, afterPause?: () => void) {
    if (signal !== undefined && typeof signal?.throwIfAborted !== "function")
      throw invalidArgument("TimeSlices", "pass an AbortSignal, or nothing");
    this.#signal = signal;
    this.#afterPause = afterPause;
    signal?.throwIfAborted();
  }

  /** Adds `work`, in units of at most about 10 to 50 microseconds. Returns whether it is time to pause. */
  spend(work = 1): boolean {
    this.#work += work;
    return this.#work >= WORK_PER_LOOK && this.isOver();
  }

  /** Whether the slice is used up. Use it for steps that each take long. */
  isOver(): boolean {
    this.#work = 0;
    return performance.now() >= this.#sliceEndMs;
  }

  /** Lets other events run, then starts the next slice. Rejects with the signal's reason when that is aborted. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#afterPause?.();
    this.#sliceEndMs = performance.now() + SLICE_MS;
  }

  /** Runs `steps` to the end, with pauses between them. */
  async finish<T>(steps: Generator<unknown, T, undefined>): Promise<T> {
    try {
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
        if (this.isOver()) await this.pause();
      }
    } finally {
      // Lets cancelled work close its descriptors. Has no effect on finished work.
      steps.return(undefined as T);
    }
  }
}

/** The work of one item. Some items take two microseconds. */
const WORK_PER_ITEM = 1 / 8;

/** Like `items.map(map)`, with pauses. */
export async function mapInSlices<T, Mapped>(
  items: readonly T[],
  map: (item: T) => Mapped,
): Promise<readonly Mapped[]> {
  const slices = new TimeSlices();
  const mapped: Mapped[] = [];
  for (const item of items) {
    mapped.push(map(item));
    if (slices.spend(WORK_PER_ITEM)) await slices.pause();
  }
  return mapped;
}

/** Resolves after the events that are already waiting. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof globalThis.setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
