import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import type { DriverEntry, Needle } from "../driver.js";
import type { VirtualPath } from "../virtual-path.js";
import type { PinnedDirectory } from "./containment.js";
import type { HostRoot } from "./host-root.js";
import type { LookAhead } from "./look-ahead.js";
import { withLeaf } from "./read-file.js";

/** What is read of a file. A larger one takes the long way. */
export const QUICK_BYTES = 64 * 1024;
/** A search that comes to fewer files is over before another thread is of use. */
const LEAST_FILES = 500;

/** A directory that a walk is in. */
interface Passing {
  readonly path: VirtualPath;
  /** `undefined` once it had to be let go of. */
  readonly directory: PinnedDirectory | undefined;
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
  readonly #scratch = Buffer.allocUnsafe(QUICK_BYTES);
  #ahead: LookAhead | undefined;
  #hasBegun = false;
  #looked = 0;
  /** Where the walk started, and the directory that it is in. */
  #base: Passing | undefined;
  #current: Passing | undefined;
  #lacking: ReadonlySet<string> | undefined;

  constructor(root: HostRoot, ahead: LookAhead | undefined, needle: Needle) {
    this.#root = root;
    this.#ahead = ahead;
    this.#needle = needle;
    this.#wanted = Buffer.from(needle.text);
  }

  /** For the entry that a walk has just come to. */
  rulesOut(passing: Passing, { kind, name }: DriverEntry): boolean {
    const { directory } = passing;
    this.#base ??= passing;
    if (kind !== "file" || directory === undefined) return false;
    if (this.#hasBegun && passing !== this.#current) {
      this.#current = passing;
      this.#lacking = this.#ahead?.lackingIn(this.#below(passing));
    }
    if (this.#lacking?.has(name)) return true;
    if (++this.#looked === LEAST_FILES) this.#begin();
    try {
      return withLeaf(this.#root, directory, name, (fd) => this.#lacks(fd));
    } catch {
      // Whatever is wrong with it shows when it is looked into.
      return false;
    }
  }

  /** To be called when the walk is over. */
  end(): void {
    if (this.#hasBegun) this.#ahead?.end();
    this.#hasBegun = false;
    this.#ahead = undefined;
  }

  #begin(): void {
    const base = this.#base?.directory;
    this.#hasBegun = base !== undefined && (this.#ahead?.begin(base, this.#needle) ?? false);
  }

  /** The way from the base of the walk, as the other thread names it. */
  #below({ path }: Passing): string {
    const base = this.#base?.path ?? "";
    if (path === base) return "";
    return `${base === "" ? path : path.slice(base.length + 1)}/`;
  }

  #lacks(fd: number): boolean {
    const count = readSync(fd, this.#scratch, 0, QUICK_BYTES, 0);
    if (count === QUICK_BYTES || count > this.#needle.maxBytes) return false;
    const bytes = this.#scratch.subarray(0, count);
    return bytes.indexOf(this.#wanted) < 0 && bytes.indexOf(0) < 0 && isUtf8(bytes);
  }
}
