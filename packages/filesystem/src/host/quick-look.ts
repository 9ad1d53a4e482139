import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import type { DriverEntry, Needle } from "../driver.js";
import type { HostRoot } from "./host-root.js";
import type { LookAhead, Passing } from "./look-ahead.js";
import { withLeaf } from "./read-file.js";

/** What is read of a file. A larger one takes the long way. */
export const QUICK_BYTES = 64 * 1024;

/**
 * Tells in a hurry which files a search need not look into: those that are text without its needle.
 *
 * Nobody has made sure that what it reads is a regular file, because that takes as long as reading it. So nothing of
 * it goes any further: a file that is not ruled out is opened again and looked into with care.
 */
export class QuickLook {
  readonly #root: HostRoot;
  readonly #ahead: LookAhead | undefined;
  readonly #needle: Needle;
  readonly #wanted: Buffer;
  readonly #scratch = Buffer.allocUnsafe(QUICK_BYTES);

  constructor(root: HostRoot, ahead: LookAhead | undefined, needle: Needle) {
    this.#root = root;
    this.#ahead = ahead;
    this.#needle = needle;
    this.#wanted = Buffer.from(needle.text);
  }

  /** For the entry that a walk has just come to. */
  rulesOut(passing: Passing, { kind, name }: DriverEntry): boolean {
    const { directory } = passing;
    if (kind !== "file" || directory === undefined) return false;
    if (this.#ahead?.rulesOut(passing, this.#needle)) return true;
    try {
      return withLeaf(this.#root, directory, name, (fd) => this.#lacks(fd));
    } catch {
      // Whatever is wrong with it shows when it is looked into.
      return false;
    }
  }

  /** To be called before the directory is let go of. */
  leave(passing: Passing): void {
    this.#ahead?.leave(passing);
  }

  #lacks(fd: number): boolean {
    const count = readSync(fd, this.#scratch, 0, QUICK_BYTES, 0);
    if (count === QUICK_BYTES || count > this.#needle.maxBytes) return false;
    const bytes = this.#scratch.subarray(0, count);
    return bytes.indexOf(this.#wanted) < 0 && bytes.indexOf(0) < 0 && isUtf8(bytes);
  }
}
