import type { CallOptions, Filesystem } from "../protocol/filesystem.js";
import { isFilesystemError } from "../protocol/filesystem-error.js";

/** The path without links, as programs follow them when they write. A path that does not exist stays as it is. */
export async function followLinks(
  filesystem: Filesystem,
  path: string,
  options: CallOptions = {},
): Promise<string> {
  try {
    return await filesystem.realpath(path, options);
  } catch (error) {
    if (!isFilesystemError(error, "ENOENT")) throw error;
    return path;
  }
}
