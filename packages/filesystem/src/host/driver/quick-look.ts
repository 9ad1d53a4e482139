import { isUtf8 } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import type { DriverEntry, Needle } from "../../driver/driver.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { PinnedDirectory } from "../containment/containment.js";
import type { HostRoot } from "../containment/host-root.js";
import type { LookAhead } from "./look-ahead.js";

/** What is read of a file. A larger one takes the long way. */
export const QUICK_BYTES = 64 * 1024;
/** A search that comes to fewer files is over before another thread is of use. */
const LEAST_FILES = 500;
/** So many files, and so many bytes of them, are looked at together: each look at bytes has its price, and the others want their turn. */
const MOST_TOGETHER = 8;
const BYTES_TOGETHER = 32 * 1024;
const NEWLINE = 10;

/** A directory that a walk is in. */
interface Passing {
  readonly path: VirtualPath;
  /** `undefined` once it had to be let go of. */
  readonly directory: PinnedDirectory | undefined;
  readonly entries: readonly DriverEntry[];
  /** The one that the walk comes to next. */
  readonly next: number;
}

/**
 * Tells in a hurry which files a search need not look into: those that are text without its needle.
 *
 * Nobody has made sure that what it reads is a regular file, because that takes as long as reading it. So nothing of
 * it goes any further: a file that is not ruled out is opened again and looked into with care.
 */
export class QuickLook {
  readonly #root: HostRoot;
  readonly #needle: Needle;
  readonly #wanted: Buffer;
  readonly #scratch = Buffer.allocUnsafe(BYTES_TOGETHER + QUICK_BYTES + 1);
  /** Where each file that was read together with others ends in the scratch memory. */
  readonly #ends: number[] = [];
  #together = MOST_TOGETHER;
  #looked = 0;
  /** Where the walk started. */
  #base: Passing | undefined;
  /** The other thread, until it is called, and from then on. */
  #idle: LookAhead | undefined;
  #ahead: LookAhead | undefined;

  constructor(root: HostRoot, ahead: LookAhead | undefined, needle: Needle) {
    this.#root = root;
    this.#idle = ahead;
    this.#needle = needle;
    this.#wanted = Buffer.from(needle.text);
  }

  /** What a walk that comes to the directory at `path` still has to see there, where that is known: then it need not read it. */
  leftIn(path: VirtualPath): readonly DriverEntry[] | undefined {
    return this.#ahead?.leftIn(this.#below(path));
  }

  /** How many files from the next entry on are ruled out. */
  rulesOut(passing: Passing): number {
    this.#base ??= passing;
    const count = this.#read(passing);
    if (count === 0) return 0;
    this.#looked += count;
    if (this.#looked >= LEAST_FILES) this.#begin(this.#base);
    if (this.#lacks(0, this.#endOf(count - 1))) {
      this.#together = Math.min(this.#together * 2, MOST_TOGETHER);
      return count;
    }
    // Where there is something to find there may be more, and what comes behind it is read again.
    this.#together = 1;
    let lacking = 0;
    while (lacking < count && this.#lacks(this.#endOf(lacking - 1), this.#endOf(lacking)))
      lacking++;
    return lacking;
  }

  /** To be called when the walk is over. */
  end(): void {
    this.#ahead?.end();
    this.#ahead = undefined;
    this.#idle = undefined;
  }

  #begin({ directory }: Passing): void {
    if (directory !== undefined && this.#idle?.begin(directory, this.#needle))
      this.#ahead = this.#idle;
    this.#idle = undefined;
  }

  /** The way from the base of the walk, as the other thread names it. */
  #below(path: VirtualPath): string {
    const base = this.#base?.path ?? "";
    if (path === base) return "";
    return `${base === "" ? path : path.slice(base.length + 1)}/`;
  }

  /** Reads the next few files one behind the other, each with a line's end behind it, and says how many those are. */
  #read({ directory, entries, next }: Passing): number {
    let end = 0;
    let count = 0;
    while (directory !== undefined && count < this.#together && end < BYTES_TOGETHER) {
      const entry = entries[next + count];
      if (entry?.kind !== "file") break;
      const size = this.#readFile(directory, entry.name, end);
      if (size < 0) break;
      end += size;
      this.#scratch[end++] = NEWLINE;
      this.#ends[count++] = end;
    }
    return count;
  }

  /** How many bytes it took; -1 for a file that is not to be judged in a hurry. */
  #readFile(directory: PinnedDirectory, name: string, start: number): number {
    try {
      const fd = this.#root.openLeaf(directory, name);
      try {
        const size = readSync(fd, this.#scratch, start, QUICK_BYTES, 0);
        return size === QUICK_BYTES || size > this.#needle.maxBytes ? -1 : size;
      } finally {
        closeSync(fd);
      }
    } catch {
      // Whatever is wrong with it shows when it is looked into.
      return -1;
    }
  }

  #endOf(index: number): number {
    return this.#ends[index] ?? 0;
  }

  #lacks(start: number, end: number): boolean {
    const bytes = this.#scratch.subarray(start, end);
    return bytes.indexOf(this.#wanted) < 0 && bytes.indexOf(0) < 0 && isUtf8(bytes);
  }
}
