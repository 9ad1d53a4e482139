import { isUtf8 } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import type { DriverEntry, Needle } from "../../driver/driver.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { HostRoot } from "../containment/host-root.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import type { LookAhead } from "./look-ahead.js";

/** The maximum number of bytes read of a file. Larger files are searched normally. */
export const QUICK_BYTES = 64 * 1024;
/** A search of fewer files ends before a second thread helps. */
const MIN_FILES_FOR_THREAD = 500;
/**
 * The maximum batch size in files. A batch is scanned in one call, because each scan has a fixed cost. The limit
 * lets the caller yield to the event loop.
 */
const MAX_BATCH_FILES = 8;
const MAX_BATCH_BYTES = 32 * 1024;
const NEWLINE = 10;

/** The current directory of a walk. */
interface Passing {
  readonly path: VirtualPath;
  /** `undefined` after it was closed. */
  readonly directory: PinnedDirectory | undefined;
  readonly entries: readonly DriverEntry[];
  /** The index of the walk's next entry. */
  readonly next: number;
}

/**
 * A fast filter for a search: finds text files that do not contain the needle.
 *
 * It does not check that a file is regular, because the check takes as long as the read. So the bytes are not used
 * further: a file that may contain the needle is opened again and searched normally.
 */
export class QuickLook {
  readonly #root: HostRoot;
  readonly #needle: Needle;
  readonly #wanted: Buffer;
  readonly #scratch = Buffer.allocUnsafe(MAX_BATCH_BYTES + QUICK_BYTES + 1);
  /** Where each file of the batch ends in the scratch buffer. */
  readonly #ends: number[] = [];
  #together = MAX_BATCH_FILES;
  #looked = 0;
  /** The directory where the walk started. */
  #base: Passing | undefined;
  /** The second thread: in `#idle` until it is started, in `#ahead` afterwards. */
  #idle: LookAhead | undefined;
  #ahead: LookAhead | undefined;

  constructor(root: HostRoot, ahead: LookAhead | undefined, needle: Needle) {
    this.#root = root;
    this.#idle = ahead;
    this.#needle = needle;
    this.#wanted = Buffer.from(needle.text);
  }

  /**
   * The entries that the walk still has to visit in the directory at `path`, if the second thread has read it. Then
   * the walk need not read it.
   */
  leftIn(path: VirtualPath): readonly DriverEntry[] | undefined {
    return this.#ahead?.leftIn(this.#below(path));
  }

  /** Returns how many files, starting with the next entry, do not contain the needle. */
  rulesOut(passing: Passing): number {
    this.#base ??= passing;
    const count = this.#read(passing);
    if (count === 0) return 0;
    this.#looked += count;
    if (this.#looked >= MIN_FILES_FOR_THREAD) this.#begin(this.#base);
    if (this.#lacks(0, this.#endOf(count - 1))) {
      this.#together = Math.min(this.#together * 2, MAX_BATCH_FILES);
      return count;
    }
    // Matches often come in groups, and files after a match are read again. So continue with a batch of one.
    this.#together = 1;
    let lacking = 0;
    while (lacking < count && this.#lacks(this.#endOf(lacking - 1), this.#endOf(lacking)))
      lacking++;
    return lacking;
  }

  /** Call when the walk is over. */
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

  /** The path relative to the base of the walk, as the second thread reports it. */
  #below(path: VirtualPath): string {
    const base = this.#base?.path ?? "";
    if (path === base) return "";
    return `${base === "" ? path : path.slice(base.length + 1)}/`;
  }

  /** Reads the next few files into one buffer, each followed by a newline. Returns their number. */
  #read({ directory, entries, next }: Passing): number {
    let end = 0;
    let count = 0;
    while (directory !== undefined && count < this.#together && end < MAX_BATCH_BYTES) {
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

  /** Returns the number of bytes read, or -1 for a file that must be searched normally. */
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
      // Ignored: the normal search reports the error.
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
