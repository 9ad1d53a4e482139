import type { VirtualPath } from "../path/virtual-path.js";
import type { MemoryFile } from "./memory-node.js";

const MOST_FILES = 500_000;
const MOST_MARKS = 256;
const MOST_CHANGES = 100_000;

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

  /** Only a normalised path is ever added, so what is found is one. */
  has(path: string): path is VirtualPath {
    return this.get(path as VirtualPath) !== undefined;
  }

  /** Remembers where a file was found. */
  add(path: VirtualPath, file: MemoryFile): void {
    if (this.#files.size >= MOST_FILES) this.#files = new Map();
    this.#files.set(path, file);
    this.#forgetLast();
  }

  /** Notes that another node stands at `path` now, or none. */
  change(path: VirtualPath, file: MemoryFile | undefined): void {
    const before = this.get(path);
    const mark = this.#marks.at(-1);
    // A file that came after the mark was noted when it came.
    if (mark !== undefined && (before === undefined || before.owner < mark.id)) {
      if (mark.changeCount === MOST_CHANGES) this.clear();
      else mark.note(path, before);
    }
    if (file !== undefined) this.add(path, file);
    else if (before !== undefined) this.#files.set(path, undefined);
    this.#forgetLast();
  }

  /** Forgets everything: whole directories have come or gone. */
  clear(): void {
    this.#files = new Map();
    this.#marks = [];
    this.#forgetLast();
  }

  /** Marks the current version. Whatever comes after it must have this owner or a later one. */
  mark(id: number): void {
    if (this.#marks.at(-1)?.id === id) return;
    this.letGo();
    this.#marks.push(new Mark(id));
    if (this.#marks.length > MOST_MARKS) this.#marks.shift();
  }

  /** Keeps no file alive that is not in the current version. Only the newest mark ever does. */
  letGo(): void {
    this.#marks.at(-1)?.letGo();
  }

  /** Makes the index good for a version that was marked before. */
  returnTo(id: number): void {
    const index = this.#marks.findLastIndex((mark) => mark.id === id);
    if (index < 0) {
      this.clear();
      this.mark(id);
      return;
    }
    // `index` and what follows are within the array. The oldest last: that is what stood there at the mark.
    for (let at = this.#marks.length - 1; at >= index; at--)
      (this.#marks[at] as Mark).takeBack(this.#files);
    this.#marks.length = index + 1;
    this.#forgetLast();
  }

  #forgetLast(): void {
    this.#lastPath = undefined;
    this.#lastFile = undefined;
  }
}

/**
 * A version to return to, and what was known to stand at each path that has changed since; `undefined` for nothing known.
 *
 * Most changes are taken back soon, so it keeps its places for the next ones.
 */
class Mark {
  readonly id: number;
  readonly #paths: (VirtualPath | undefined)[] = [];
  readonly #files: (MemoryFile | undefined)[] = [];
  #count = 0;

  constructor(id: number) {
    this.id = id;
  }

  get changeCount(): number {
    return this.#count;
  }

  note(path: VirtualPath, file: MemoryFile | undefined): void {
    this.#paths[this.#count] = path;
    this.#files[this.#count++] = file;
  }

  /** Keeps no file alive. */
  letGo(): void {
    this.#files.fill(undefined);
  }

  /** The oldest change last: a path may have changed more than once. */
  takeBack(files: Map<VirtualPath, MemoryFile | undefined>): void {
    while (this.#count > 0) {
      const index = --this.#count;
      // There are as many paths as were counted.
      files.set(this.#paths[index] as VirtualPath, this.#files[index]);
      this.#paths[index] = undefined;
      this.#files[index] = undefined;
    }
  }
}
