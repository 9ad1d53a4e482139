import type { TimeSlices } from "../../content/time-slices.js";
import { bytesHold, toWanted } from "./contains-bytes.js";

/**
 * One check cannot be interrupted. For this many characters or bytes it takes at most 6 ms, and mostly a fiftieth of
 * that.
 */
export const MAX_LOOK_LENGTH = 512 * 1024;
/** Checking this many characters takes about 10 microseconds. */
const LENGTH_PER_WORK = 16 * 1024;

/**
 * Checks whether content (text or UTF-8) contains a text that is part of every match, and counts its work.
 *
 * Without such a text, or if bytes cannot be searched quickly, the answer is always `true`.
 */
export class NeedleLook {
  readonly #needle: string;
  readonly #wanted: Buffer | undefined;
  #looked = 0;

  constructor(needle: string) {
    this.#needle = needle;
    this.#wanted = needle === "" ? undefined : toWanted(needle);
  }

  /** A single check. Returns `true` for a text that is too long for one. */
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

  /** Checks content of any length, with the pauses that `slices` asks for. */
  async through(content: string | Uint8Array, slices: TimeSlices): Promise<boolean> {
    // The parts overlap, so that a needle across two parts is found.
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

  /** The work done since the last call, in the units of `TimeSlices`. */
  takeWork(): number {
    const work = this.#looked / LENGTH_PER_WORK;
    this.#looked = 0;
    return work;
  }
}
