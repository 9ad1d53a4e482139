import { hash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { CLOCK_TICK_MS } from "./unseen-changes.js";

/** Files larger than this are told apart by what the host knows of them, not by a hash of their content. */
export const LARGEST_HASHED_BYTES = 32 * 1024 * 1024;

const ENTRIES_PER_GENERATION = 25_000;

export function revisionOfBytes(bytes: Uint8Array): string {
  return hash("sha1", bytes);
}

/** For a file too large to hash. It misses a write through a mapping that leaves the times as they are. */
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
 * Remembers the hash of a file for as long as nothing about the file has changed.
 *
 * Any program can set `mtime` back, but not `ctime`. The hash of a file that changed shortly before it was hashed
 * is not remembered: the file could change again without a trace in either time.
 *
 * There are two generations. When the young one is full it becomes the old one,
 * and what was old and not asked for meanwhile is forgotten: taking single
 * entries out of a large `Map` in order of age would cost more than a hash.
 */
export class RevisionCache {
  /** By inode. */
  #young = new Map<bigint, Entry>();
  #old = new Map<bigint, Entry>();
  readonly #unseenChangeMs: number;

  /** @param unseenMs how long after a change a file may change again unseen, as `unseenChangeMs` answers it */
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

  /** `stat` was taken before the content was read; `hashedAtMs` is the time it was taken at. */
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
