/** Work that runs this long without a pause holds up everything else in the process. */
const SLICE_MS = 10;
/** The clock is read once per so many units of work: reading it costs more than looking at a name. */
export const WORK_PER_LOOK = 64;

/**
 * Cuts long work into slices and lets other events in between.
 *
 * `spend` is for the inner loop and costs next to nothing; when it says `true`, `await pause()`.
 */
export class TimeSlices {
  readonly #signal: AbortSignal | undefined;
  #sliceEndMs = performance.now() + SLICE_MS;
  #work = 0;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
    signal?.throwIfAborted();
  }

  /** Adds `work`, in units of about 10 to 50 microseconds at most. Whether it is time to pause. */
  spend(work = 1): boolean {
    this.#work += work;
    return this.#work >= WORK_PER_LOOK && this.isOver();
  }

  /** Whether the slice has taken its time. For work that is long by itself. */
  isOver(): boolean {
    this.#work = 0;
    return performance.now() >= this.#sliceEndMs;
  }

  /** Lets other events run, then starts the next slice. Rejects with the signal's reason when that is aborted. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#sliceEndMs = performance.now() + SLICE_MS;
  }
}

/** Each item counts for so much work: some take two microseconds. */
const WORK_PER_ITEM = 1 / 8;

/** As `items.map(map)`, pausing now and then. */
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

/** Resolves after the events that wait already. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof globalThis.setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
