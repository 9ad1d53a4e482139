import type { VirtualPath } from "../../path/virtual-path.js";
import type { HostRoot } from "../containment/host-root.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";

/**
 * Caches the last opened directory until the next turn of the event loop.
 *
 * A caller that reads the files of a walk opens the same directory many times. The cache does not live longer,
 * because the directory could be moved out of the tree.
 */
export class DirectoryCache {
  readonly #root: HostRoot;
  #path: VirtualPath | undefined;
  #directory: PinnedDirectory | undefined;
  #leaving = false;

  constructor(root: HostRoot) {
    this.#root = root;
  }

  enter(path: VirtualPath): PinnedDirectory {
    this.#root.requireOpen();
    if (this.#directory !== undefined && this.#path === path) return this.#directory;
    this.#leave();
    const directory = this.#root.enter(path);
    this.#path = path;
    this.#directory = directory;
    this.#leaveSoon();
    return directory;
  }

  #leaveSoon(): void {
    if (this.#leaving) return;
    this.#leaving = true;
    setImmediate(() => {
      this.#leaving = false;
      this.#leave();
    });
  }

  #leave(): void {
    if (this.#directory !== undefined) this.#root.leave(this.#directory);
    this.#directory = undefined;
  }
}
