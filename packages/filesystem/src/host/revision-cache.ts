import { hash } from "node:crypto";
import type { BigIntStats } from "node:fs";

/** Files larger than this are told apart by what the host knows of them, not by a hash of their content. */
export const LARGEST_HASHED_BYTES = 32 * 1024 * 1024;

/** Kernels stamp a change with a clock that ticks every few milliseconds; two changes within a tick look like one. */
const RACY_WINDOW_NS = 50_000_000n;
const ENTRIES_PER_GENERATION = 25_000;

export function revisionOfBytes(bytes: Uint8Array): string {
  return hash("sha1", bytes);
}

/** For a file too large to hash: changes at least when the content does. */
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
 * `mtime` alone can be set back by anybody; `ctime` cannot. What was changed a
 * moment before it was hashed is not remembered: it could change once more
 * without either of them moving.
 *
 * There are two generations. When the young one is full it becomes the old one,
 * and what was old and not asked for meanwhile is forgotten: taking single
 * entries out of a large `Map` in order of age would cost more than a hash.
 */
export class RevisionCache {
  /** By inode. */
  #young = new Map<bigint, Entry>();
  #old = new Map<bigint, Entry>();

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
    if (ctimeNs + RACY_WINDOW_NS > BigInt(hashedAtMs) * 1_000_000n) return;
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
