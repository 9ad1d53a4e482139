import { hash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { CLOCK_TICK_MS } from "./unseen-changes.js";

/** Larger files get a revision from their metadata, not from a hash of their content. */
export const MAX_HASHED_BYTES = 32 * 1024 * 1024;

const ENTRIES_PER_GENERATION = 25_000;

export function revisionOfBytes(bytes: Uint8Array): string {
  return hash("sha1", bytes);
}

/**
 * The revision of a file that is too large to hash. It misses a write through a memory mapping that does not change
 * the times.
 */
export function revisionOfStat({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join("-");
}

interface Entry {
  readonly dev: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly revision: string;
}

/**
 * Caches the hash of a file as long as its metadata does not change.
 *
 * Any program can reset `mtime`, but not `ctime`. A file that changed shortly before it was hashed is not cached,
 * because it could change again with the same times.
 *
 * There are two generations. When the young one is full it becomes the old one, and old entries that were not used
 * since then are dropped. Removing single entries from a large `Map` by age would cost more than a hash.
 */
export class RevisionCache {
  /** By inode number. */
  #young = new Map<bigint, Entry>();
  #old = new Map<bigint, Entry>();
  readonly #unseenChangeMs: number;

  /** @param unseenMs how long after a change a file may change again without new times; see `unseenChangeMs` */
  constructor(unseenMs = CLOCK_TICK_MS) {
    this.#unseenChangeMs = unseenMs;
  }

  get(stat: BigIntStats): string | undefined {
    const young = this.#young.get(stat.ino);
    const entry = young ?? this.#old.get(stat.ino);
    if (entry === undefined || !isSame(entry, stat)) return undefined;
    if (young === undefined) this.#keep(stat.ino, entry);
    return entry.revision;
  }

  /** `stat` must be taken before the content is read. `hashedAtMs` is the time when it was taken. */
  set(stat: BigIntStats, revision: string, hashedAtMs: number): void {
    const { ino, dev, size, mtimeNs, ctimeNs } = stat;
    if (Number(ctimeNs / 1_000_000n) + this.#unseenChangeMs >= hashedAtMs) return;
    this.#keep(ino, { dev, size, mtimeNs, ctimeNs, revision });
  }

  #keep(ino: bigint, entry: Entry): void {
    if (this.#young.size >= ENTRIES_PER_GENERATION) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(ino, entry);
  }
}

function isSame(entry: Entry, stat: BigIntStats): boolean {
  return (
    entry.ctimeNs === stat.ctimeNs &&
    entry.mtimeNs === stat.mtimeNs &&
    entry.size === stat.size &&
    entry.dev === stat.dev
  );
}
