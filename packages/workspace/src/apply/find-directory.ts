import { type Filesystem, isFilesystemError } from "@wink/filesystem";
import type { DirectoryAt } from "./placed-change.js";

/** Finds the directories of a workspace. */
export function findDirectory(filesystem: Filesystem): DirectoryAt {
  return async (path) => {
    try {
      const { kind, mode, modifiedAt } = await filesystem.stat(path, { followLinks: false });
      if (kind !== "directory") return undefined;
      return { kind, mode, modifiedAtMs: modifiedAt ? Date.parse(modifiedAt) : undefined };
    } catch (error) {
      if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR"))
        return undefined;
      throw error;
    }
  };
}
