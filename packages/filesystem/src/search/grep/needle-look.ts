import type { TimeSlices } from "../walk/time-slices.js";
import { bytesHold, toWanted } from "./bytes-hold.js";

/** Nothing interrupts one look. At so many characters or bytes it takes 6 ms at worst, and mostly a fiftieth of that. */
export const MAX_LOOK_LENGTH = 512 * 1024;
/** Looking at this many characters takes some 10 microseconds. */
const LENGTH_PER_WORK = 16 * 1024;

/**
 * Looks for a text that every match holds, in contents of text or of its UTF-8, and counts what it looks at.
 *
 * Where there is no such text, or bytes cannot be searched quickly, every content may hold it.
 */
export class NeedleLook {
  readonly #needle: string;
  readonly #wanted: Buffer | undefined;
  #looked = 0;

  constructor(needle: string) {
    this.#needle = needle;
    this.#wanted = needle === "" ? undefined : toWanted(needle);
  }

  /** One look. Of a text that is too long for that, the answer is that it may. */
  inText(text: string): boolean {
    if (this.#needle === "" || text.length > MAX_LOOK_LENGTH) return true;
    this.#looked += text.length;
    return text.includes(this.#needle);
  }

  inBytes(bytes: Uint8Array): boolean {
    if (this.#wanted === undefined || bytes.length > MAX_LOOK_LENGTH) return true;
    this.#looked += bytes.length;
    return bytesHold(bytes, this.#wanted);
  }

  /** As many looks as it takes, pausing as `slices` asks. */
  async through(content: string | Uint8Array, slices: TimeSlices): Promise<boolean> {
    // Each look reaches into the next, so that nothing is missed between them.
    const overlap = (this.#wanted?.length ?? this.#needle.length) - 1;
    for (let start = 0; start < content.length; start += MAX_LOOK_LENGTH - overlap) {
      const end = start + MAX_LOOK_LENGTH;
      const isHeld =
        typeof content === "string"
          ? this.inText(content.slice(start, end))
          : this.inBytes(content.subarray(start, end));
      if (isHeld) return true;
      if (slices.isOver()) await slices.pause();
    }
    return false;
  }

  /** The work done since this was last asked, in the units of `TimeSlices`. */
  takeWork(): number {
    const work = this.#looked / LENGTH_PER_WORK;
    this.#looked = 0;
    return work;
  }
}
