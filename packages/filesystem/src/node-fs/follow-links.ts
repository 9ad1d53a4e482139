import type { CallOptions, Filesystem } from "../protocol/filesystem.js";
import { isFilesystemError } from "../protocol/filesystem-error.js";

/**
 * The path without links, as programs follow them when they write. The file need not exist: then the links of its
 * directories are followed, and a link to a missing file leads to that file.
 */
export async function followLinks(
  filesystem: Filesystem,
  path: string,
  options: CallOptions = {},
): Promise<string> {
  try {
    return await filesystem.realpath(path, options);
  } catch (error) {
    if (!isFilesystemError(error, "ENOENT")) throw error;
  }
  const target = await linkTarget(filesystem, path, options);
  if (target === undefined) return await followParentLinks(filesystem, path, options);
  // A circle of links ends in `realpath`.
  const absolute = target.startsWith("/") ? target : join(splitPath(path).directory, target);
  return await followLinks(filesystem, absolute, options);
}

/** The path without links in its directories. The last name stays, also if it is a link. */
export async function followParentLinks(
  filesystem: Filesystem,
  path: string,
  options: CallOptions = {},
): Promise<string> {
  const { directory, name } = splitPath(path);
  if (directory === "" || name === "") return path;
  return join(await followLinks(filesystem, directory, options), name);
}

async function linkTarget(
  filesystem: Filesystem,
  path: string,
  options: CallOptions,
): Promise<string | undefined> {
  try {
    const { kind } = await filesystem.stat(path, { ...options, followLinks: false });
    return kind === "symlink" ? await filesystem.readlink(path, options) : undefined;
  } catch (error) {
    if (isFilesystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

function splitPath(path: string): { readonly directory: string; readonly name: string } {
  const slash = path.lastIndexOf("/");
  return { directory: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
}

function join(directory: string, name: string): string {
  return directory === "" || directory === "." ? name : `${directory}/${name}`;
}
