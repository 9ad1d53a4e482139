import type { Filesystem } from "../protocol/filesystem.js";
import type { StoredFiles } from "./stored-files.js";

const known = new WeakMap<Filesystem, StoredFiles>();

export function rememberFiles(filesystem: Filesystem, files: StoredFiles): void {
  known.set(filesystem, files);
}

/** What a run needs of its stored files: their commits and states. `undefined` if they are not in a store. */
export function storedFilesOf(filesystem: Filesystem): StoredFiles | undefined {
  return known.get(filesystem);
}
