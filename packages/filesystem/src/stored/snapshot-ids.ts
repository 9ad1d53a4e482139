import type { SnapshotIds } from "../memory/kept-versions.js";

/**
 * Ids that sort by the time of their creation, also those of several processes: UUIDs of version 7.
 */
export class TimeOrderedIds implements SnapshotIds {
  readonly #clock: () => number;
  readonly #version: () => number;
  #last: string;

  /**
   * @param version the version of the head
   * @param last the last id that was given, or an empty string
   */
  constructor(clock: () => number, version: () => number, last: string) {
    this.#clock = clock;
    this.#version = version;
    this.#last = last;
  }

  next(): { snapshotId: string; commitRef: string } {
    const random = crypto.randomUUID();
    // A clock may stand still or go back.
    const earliest = Number.parseInt(this.#last.replaceAll("-", "").slice(0, 12), 16) + 1 || 0;
    const time = Math.max(Math.floor(this.#clock()), earliest).toString(16).padStart(12, "0");
    const snapshotId = `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
    this.#last = snapshotId;
    return { snapshotId, commitRef: `${this.#version()}-${random}` };
  }
}
