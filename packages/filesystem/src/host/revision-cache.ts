import { hash } from "node:crypto";
import type { BigIntStats } from "node:fs";

/** Files larger than this are told apart by what the host knows of them, not by a hash of their content. */
export const LARGEST_HASHED_BYTES = 32 * 1024 * 1024;

/** Kernels stamp a change with a clock that ticks every few milliseconds; two changes within a tick look like one. */
const RACY_WINDOW_NS = 50_000_000n;
const MOST_ENTRIES = 50_000;

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
 */
export class RevisionCache {
  /** By inode, the least recently used first. */
  readonly #entries = new Map<bigint, Entry>();

  get(stat: BigIntStats): string | undefined {
    const entry = this.#entries.get(stat.ino);
    if (entry === undefined) return undefined;
    this.#entries.delete(stat.ino);
    const same =
      entry.ctimeNs === stat.ctimeNs &&
      entry.mtimeNs === stat.mtimeNs &&
      entry.size === stat.size &&
      entry.dev === stat.dev;
    if (!same) return undefined;
    this.#entries.set(stat.ino, entry);
    return entry.revision;
  }

  /** `stat` was taken before the content was read; `hashedAtMs` is the time it was taken at. */
  set(stat: BigIntStats, revision: string, hashedAtMs: number): void {
    const { ino, dev, size, mtimeNs, ctimeNs } = stat;
    this.#entries.delete(ino);
    if (ctimeNs + RACY_WINDOW_NS > BigInt(hashedAtMs) * 1_000_000n) return;
    if (this.#entries.size >= MOST_ENTRIES) this.#dropOldest();
    this.#entries.set(ino, { dev, size, mtimeNs, ctimeNs, revision });
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
