import type { SnapshotLabel } from "../driver/driver-snapshots.js";
import type { FilesystemSnapshot } from "../snapshots/filesystem-snapshot.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";

export interface KeptVersionsOptions {
  readonly clock: () => number;
  readonly rootPath: string;
}

/** Makes the ids of snapshots, each greater than the one before. */
export interface SnapshotIds {
  next(): Pick<FilesystemSnapshot, "snapshotId" | "commitRef">;
}

/** An id is the store's id with its last digits replaced by a number. */
const ID_DIGITS = 12;

export interface Kept<Version> {
  readonly snapshot: FilesystemSnapshot;
  readonly version: Version;
}

/** The snapshots of a backend whose versions are pointers in memory. A deleted one can be garbage collected. */
export class KeptVersions<Version> {
  readonly #options: KeptVersionsOptions;
  readonly #ids: SnapshotIds;
  /**
   * In the order of creation, which is the order of ids. An array, because a Map with deleted keys keeps its old hash
   * tables in memory.
   */
  readonly #kept: Kept<Version>[];
  /** `toISOString` is the slowest step of a snapshot, so its result is cached per millisecond. */
  #lastMs = Number.NaN;
  #lastFormatted = "";

  /** @param kept the snapshots of an earlier process, in the order of their ids */
  constructor(
    options: KeptVersionsOptions,
    ids: SnapshotIds = new NumberedIds(),
    kept: readonly Kept<Version>[] = [],
  ) {
    this.#options = options;
    this.#ids = ids;
    this.#kept = [...kept];
  }

  get size(): number {
    return this.#kept.length;
  }

  /** In the order of their ids. */
  all(): readonly Kept<Version>[] {
    return [...this.#kept];
  }

  /** The newest first. */
  list(): readonly FilesystemSnapshot[] {
    return this.#kept.map(({ snapshot }) => snapshot).reverse();
  }

  keep(version: Version, { tag, name }: SnapshotLabel): FilesystemSnapshot {
    const { snapshotId, commitRef } = this.#ids.next();
    const snapshot: { -readonly [Key in keyof FilesystemSnapshot]: FilesystemSnapshot[Key] } = {
      snapshotId,
      createdAt: this.#formatTime(this.#options.clock()),
      commitRef,
      rootPath: this.#options.rootPath,
    };
    if (tag !== undefined) snapshot.tag = tag;
    if (name !== undefined) {
      snapshot.name = name;
      this.#dropName(name);
    }
    this.#kept.push({ snapshot: Object.freeze(snapshot), version });
    return snapshot;
  }

  delete(snapshots: readonly FilesystemSnapshot[]): void {
    for (const snapshot of snapshots) this.#kept.splice(this.#indexOf(snapshot), 1);
  }

  versionOf(snapshot: FilesystemSnapshot): Version {
    // `#indexOf` returns an index within the array.
    return (this.#kept[this.#indexOf(snapshot)] as Kept<Version>).version;
  }

  #formatTime(ms: number): string {
    if (ms !== this.#lastMs) this.#lastFormatted = new Date(ms).toISOString();
    this.#lastMs = ms;
    return this.#lastFormatted;
  }

  /** A name belongs to the newest snapshot that has it. */
  #dropName(name: string): void {
    for (const [index, each] of this.#kept.entries()) {
      if (each.snapshot.name !== name) continue;
      const { name: _, ...unnamed } = each.snapshot;
      this.#kept[index] = { ...each, snapshot: Object.freeze(unnamed) };
    }
  }

  #indexOf({ snapshotId, commitRef }: FilesystemSnapshot): number {
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#kept[middle] as Kept<Version>).snapshot.snapshotId < snapshotId) low = middle + 1;
      else high = middle;
    }
    const found = this.#kept[low]?.snapshot;
    if (found?.snapshotId === snapshotId && found.commitRef === commitRef) return low;
    throw new SnapshotError("UNKNOWN_SNAPSHOT");
  }
}

/** Ids of a store that ends with the process. */
class NumberedIds implements SnapshotIds {
  readonly #storeId = crypto.randomUUID();
  #made = 0;
  /** The id before the number, zeros included. Cached, because it is the same for most ids. */
  #idStart = "";

  next(): { snapshotId: string; commitRef: string } {
    const number = (++this.#made).toString(16);
    if (number.length + this.#idStart.length !== this.#storeId.length)
      this.#idStart = this.#storeId.slice(0, -ID_DIGITS) + "0".repeat(ID_DIGITS - number.length);
    // The number comes first, because a short id is the beginning of the id.
    return { snapshotId: this.#idStart + number, commitRef: `${this.#made}-${this.#storeId}` };
  }
}
