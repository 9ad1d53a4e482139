import type { MaybePromise, WalkEntry } from "../driver.js";
import type { FileContent } from "../file-content.js";
import { isFilesystemError } from "../filesystem-error.js";

/** How many files are asked for ahead where each takes its time; all of them may be of the largest size. */
const LOADS_AHEAD = 8;

export interface OrderedLoads {
  /** The content of the next file; `undefined` when it is too large, cannot be read, or is gone. */
  next(): MaybePromise<FileContent | undefined>;
}

/** Loads files one after the other; or a few at a time, from a backend that answers with promises. */
export function loadInOrder(files: readonly WalkEntry[], maxBytes: number): OrderedLoads {
  const ahead: MaybePromise<Loaded>[] = [];
  let started = 0;
  const start = (): MaybePromise<Loaded> | undefined => {
    const file = files[started++];
    return file === undefined ? undefined : load(file, maxBytes);
  };

  return {
    next() {
      const first = ahead.shift() ?? start();
      if (!(first instanceof Promise)) return unwrap(first);
      while (ahead.length < LOADS_AHEAD && started < files.length) ahead.push(start());
      return first.then(unwrap);
    },
  };
}

/** A failure is kept as a value: a load that is never asked for must not end the process. */
type Loaded = FileContent | LoadFailure | undefined;

class LoadFailure {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

function load(file: WalkEntry, maxBytes: number): MaybePromise<Loaded> {
  // Opening a FIFO would wait for ever.
  if (file.kind !== "file") return undefined;
  try {
    const loaded = file.load(maxBytes);
    return loaded instanceof Promise ? loaded.catch(toFailure) : loaded;
  } catch (error) {
    return toFailure(error);
  }
}

/** A file that went away or may not be read is no fault of the search; a backend that fails is. */
function toFailure(error: unknown): LoadFailure | undefined {
  return isFilesystemError(error) && error.code !== "EIO" ? undefined : new LoadFailure(error);
}

function unwrap(loaded: Loaded): FileContent | undefined {
  if (loaded instanceof LoadFailure) throw loaded.error;
  return loaded;
}
