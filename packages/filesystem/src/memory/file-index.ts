import type { VirtualPath } from "../path/virtual-path.js";
import type { MemoryFile, NodeContent } from "./memory-node.js";

const MAX_FILES = 500_000;
const MAX_MARKS = 256;
const MAX_CHANGES = 100_000;

/**
 * Files by their full path, so that finding one takes a single lookup.
 *
 * It is a cache of the current version of the tree. Each mark is a version to which the tree may return.
 * The index records what each changed path held at the mark, so that a rollback restores only these paths.
 */
export class FileIndex<Content extends NodeContent> {
  /** Forgotten files stay as `undefined`: deleting and adding keys makes a large Map slow. */
  #files = new Map<VirtualPath, MemoryFile<Content> | undefined>();
  #marks: Mark<Content>[] = [];

  /** A change looks up the same file several times in a row. This caches the last lookup. */
  #lastPath: VirtualPath | undefined;
  #lastFile: MemoryFile<Content> | undefined;

  get(path: VirtualPath): MemoryFile<Content> | undefined {
    if (path === this.#lastPath) return this.#lastFile;
    this.#lastPath = path;
    this.#lastFile = this.#files.get(path);
    return this.#lastFile;
  }

  /** Only normalised paths are added, so a path found here is normalised. */
  has(path: string): path is VirtualPath {
    return this.get(path as VirtualPath) !== undefined;
  }

  /** Caches the file at `path`. */
  add(path: VirtualPath, file: MemoryFile<Content>): void {
    if (this.#files.size >= MAX_FILES) this.#files = new Map();
    this.#files.set(path, file);
    this.#forgetLast();
  }

  /** Records that the node at `path` was replaced or, with `undefined`, removed. */
  change(path: VirtualPath, file: MemoryFile<Content> | undefined): void {
    const before = this.get(path);
    const mark = this.#marks.at(-1);
    // A file created after the mark was recorded when it was created.
    if (mark !== undefined && (before === undefined || before.owner < mark.id)) {
      if (mark.changeCount === MAX_CHANGES) this.clear();
      else mark.note(path, before);
    }
    if (file !== undefined) this.add(path, file);
    else if (before !== undefined) this.#files.set(path, undefined);
    this.#forgetLast();
  }

  /** Drops everything. Used when whole directories were added or removed. */
  clear(): void {
    this.#files = new Map();
    this.#marks = [];
    this.#forgetLast();
  }

  /** Marks the current version. Later changes must have this owner or a higher one. */
  mark(id: number): void {
    if (this.#marks.at(-1)?.id === id) return;
    this.letGo();
    this.#marks.push(new Mark(id));
    if (this.#marks.length > MAX_MARKS) this.#marks.shift();
  }

  /** Releases files that are not in the current version. Only the newest mark holds any. */
  letGo(): void {
    this.#marks.at(-1)?.letGo();
  }

  /** Brings the index back to a marked version. */
  returnTo(id: number): void {
    const index = this.#marks.findLastIndex((mark) => mark.id === id);
    if (index < 0) {
      this.clear();
      this.mark(id);
      return;
    }
    // `index` and the following are within the array. The oldest mark comes last: its entries are the state to restore.
    for (let at = this.#marks.length - 1; at >= index; at--)
      (this.#marks[at] as Mark<Content>).takeBack(this.#files);
    this.#marks.length = index + 1;
    this.#forgetLast();
  }

  #forgetLast(): void {
    this.#lastPath = undefined;
    this.#lastFile = undefined;
  }
}

/**
 * A version to return to, and the file that each changed path had at that version; `undefined` if none was known.
 *
 * Most changes are rolled back soon, so the arrays are reused.
 */
class Mark<Content extends NodeContent> {
  readonly id: number;
  readonly #paths: (VirtualPath | undefined)[] = [];
  readonly #files: (MemoryFile<Content> | undefined)[] = [];
  #count = 0;

  constructor(id: number) {
    this.id = id;
  }

  get changeCount(): number {
    return this.#count;
  }

  note(path: VirtualPath, file: MemoryFile<Content> | undefined): void {
    this.#paths[this.#count] = path;
    this.#files[this.#count++] = file;
  }

  /** Clears the recorded files, so that they can be garbage-collected. */
  letGo(): void {
    this.#files.fill(undefined);
  }

  /** Undoes the newest change first, because a path may have changed more than once. */
  takeBack(files: Map<VirtualPath, MemoryFile<Content> | undefined>): void {
    while (this.#count > 0) {
      const index = --this.#count;
      // `index` is below the number of recorded paths.
      files.set(this.#paths[index] as VirtualPath, this.#files[index]);
      this.#paths[index] = undefined;
      this.#files[index] = undefined;
    }
  }
}
