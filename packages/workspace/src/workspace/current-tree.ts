import { type Filesystem, isFilesystemError, type NodeKind, paths } from "@wink/filesystem";
import type { PathChange } from "./plan-merge.js";

/** What a workspace has, besides the paths in `removed`, which a merge is about to remove. */
export class CurrentTree {
  readonly #files: Filesystem;
  readonly #removed: ReadonlySet<string>;

  constructor(files: Filesystem, removed: ReadonlySet<string>) {
    this.#files = files;
    this.#removed = removed;
  }

  /** Whether a change cannot be made, because a file is above its path or something else is below it. */
  async isBlocked({ path, before, after }: PathChange): Promise<boolean> {
    for (let at = paths.parentPath(path); at !== ""; at = paths.parentPath(at)) {
      const found = this.#removed.has(at) ? undefined : await this.#kindAt(at);
      if (found !== undefined && found !== "directory") return true;
    }
    if (after?.kind === "directory" || this.#removed.has(path)) return false;
    if ((await this.#kindAt(path)) !== "directory") return false;
    return await (before?.kind === "directory" ? this.hasOthersIn(path) : this.#isOccupied(path));
  }

  /** Whether a directory has anything that is not removed. */
  async hasOthersIn(path: string): Promise<boolean> {
    if ((await this.#kindAt(path)) !== "directory") return false;
    for (const child of await this.#files.list(path)) {
      if (this.#removed.has(child.path)) continue;
      if (child.kind !== "directory" || (await this.#isOccupied(child.path))) return true;
    }
    return false;
  }

  /** Whether a directory is empty, so that it was made on its own, or has anything that is not removed. */
  async #isOccupied(path: string): Promise<boolean> {
    const isEmpty = (await this.#files.list(path, { limit: 1 })).length === 0;
    return isEmpty || (await this.hasOthersIn(path));
  }

  async #kindAt(path: string): Promise<NodeKind | undefined> {
    try {
      return (await this.#files.stat(path, { followLinks: false })).kind;
    } catch (error) {
      if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR"))
        return undefined;
      throw error;
    }
  }
}
