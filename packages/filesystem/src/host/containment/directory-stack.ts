import { baseName, type VirtualPath } from "../../path/virtual-path.js";
import type { HostRoot } from "./host-root.js";
import type { PinnedDirectory } from "./pinned-directory.js";

/** The maximum number of directories that are open at the same time, for any depth of the tree. */
const MAX_OPEN = 64;
/** How many closed directories are opened again in one batch on the way up. */
const REOPENED = 32;

export interface Frame {
  readonly path: VirtualPath;
  /** `undefined` after it was closed. */
  directory: PinnedDirectory | undefined;
}

/** The directories between the base of a walk and its current position. Only the deepest ones are open. */
export class DirectoryStack<
  F extends { readonly path: VirtualPath; directory: PinnedDirectory | undefined },
> {
  readonly #root: HostRoot;
  readonly #frames: F[] = [];

  constructor(root: HostRoot) {
    this.#root = root;
  }

  get top(): F | undefined {
    return this.#frames.at(-1);
  }

  push(frame: F): void {
    this.#frames.push(frame);
    if (this.#frames.length > MAX_OPEN) this.#release(this.#frames.length - 1 - MAX_OPEN);
  }

  pop(): void {
    this.#release(this.#frames.length - 1);
    this.#frames.pop();
  }

  /** The open directory of the top frame. It is opened again from the root if it was closed. */
  current(): PinnedDirectory {
    const top = this.#frames.at(-1);
    if (top === undefined) throw new Error("the walk is over");
    return top.directory ?? this.#reopen();
  }

  close(): void {
    while (this.#frames.length > 0) this.pop();
  }

  #release(index: number): void {
    const frame = this.#frames[index];
    if (frame?.directory === undefined) return;
    this.#root.leave(frame.directory);
    frame.directory = undefined;
  }

  #reopen(): PinnedDirectory {
    const lowest = Math.max(0, this.#frames.length - REOPENED);
    let directory: PinnedDirectory | undefined;
    for (const [index, frame] of this.#frames.slice(lowest).entries()) {
      // An earlier attempt may have failed half-way and left this frame open.
      this.#release(lowest + index);
      directory =
        directory === undefined
          ? this.#root.enter(frame.path)
          : this.#root.openDirectory(directory, baseName(frame.path));
      frame.directory = directory;
    }
    if (directory === undefined) throw new Error("the walk is over");
    return directory;
  }
}
