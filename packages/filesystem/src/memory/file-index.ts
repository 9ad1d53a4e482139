import type { VirtualPath } from "../virtual-path.js";
import type { MemoryFile } from "./memory-node.js";

const MOST_FILES = 500_000;
const MOST_MARKS = 256;

/** A version to return to, and what was known to stand at each path that has changed since; `undefined` for nothing known. */
interface Mark {
  readonly id: number;
  before: Map<VirtualPath, MemoryFile | undefined>;
}

/**
 * Files by their whole path, so that finding one costs a single look-up.
 *
 * The tree is the truth; this is a shortcut into its current version. Each mark is a
 * version to which the tree may return. What stood where something changed after a mark
 * is remembered, so that going back brings back just that.
 */
export class FileIndex {
  /** What is forgotten keeps its place: a key that comes and goes in a large Map leaves a trail in it. */
  #files = new Map<VirtualPath, MemoryFile | undefined>();
  #marks: Mark[] = [];

  /** A change looks for its file several times in a row; all but the first look are answered from here. */
  #lastPath: VirtualPath | undefined;
  #lastFile: MemoryFile | undefined;

  get(path: VirtualPath): MemoryFile | undefined {
    if (path === this.#lastPath) return this.#lastFile;
    this.#lastPath = path;
    this.#lastFile = this.#files.get(path);
    return this.#lastFile;
  }

  /** Remembers where a file was found. */
  add(path: VirtualPath, file: MemoryFile): void {
    if (this.#files.size >= MOST_FILES) this.#files = new Map();
    this.#files.set(path, file);
    this.#forgetLast();
  }

  /** Notes that another node stands at `path` now, or none. */
  change(path: VirtualPath, file: MemoryFile | undefined): void {
    const before = this.#marks.at(-1)?.before;
    if (before?.has(path) === false) before.set(path, this.#files.get(path));
    if (file !== undefined) this.add(path, file);
    else if (this.#files.has(path)) this.#files.set(path, undefined);
    this.#forgetLast();
  }

  /** Forgets everything: whole directories have come or gone. */
  clear(): void {
    this.#files = new Map();
    this.#marks = [];
    this.#forgetLast();
  }

  /** Marks the current version. */
  mark(id: number): void {
    if (this.#marks.at(-1)?.id === id) return;
    this.letGo();
    this.#marks.push({ id, before: new Map() });
    if (this.#marks.length > MOST_MARKS) this.#marks.shift();
  }

  /** Keeps no file alive that is not in the current version. Only the newest mark ever does. */
  letGo(): void {
    const before = this.#marks.at(-1)?.before;
    if (before === undefined) return;
    for (const path of before.keys()) before.set(path, undefined);
  }

  /** Makes the index good for a version that was marked before. */
  returnTo(id: number): void {
    const index = this.#marks.findLastIndex((mark) => mark.id === id);
    if (index < 0) {
      this.clear();
      this.mark(id);
      return;
    }
    // The oldest last: that is what stood there at the mark.
    for (let at = this.#marks.length - 1; at >= index; at--) {
      // `index` and what follows are within the array.
      const mark = this.#marks[at] as Mark;
      for (const [path, file] of mark.before) this.#files.set(path, file);
      // Not cleared: the table that a Map leaves behind holds on to the next one, and so the garbage grows old.
      mark.before = new Map();
    }
    this.#marks.length = index + 1;
    this.#forgetLast();
  }

  #forgetLast(): void {
    this.#lastPath = undefined;
    this.#lastFile = undefined;
  }
}
