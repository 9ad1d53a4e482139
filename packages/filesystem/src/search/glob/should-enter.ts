import { baseName, type VirtualPath } from "../../path/virtual-path.js";
import type { GlobPattern } from "./glob-pattern.js";

/**
 * Whether a search that starts at `base` enters the directory `path` below it.
 *
 * A `.git` directory is never entered, unless the search starts inside it. A directory in which nothing can match `pattern`
 * is not entered either.
 */
export function shouldEnter(path: VirtualPath, base: VirtualPath, pattern?: GlobPattern): boolean {
  if (baseName(path) === ".git") return false;
  return pattern === undefined || pattern.mayContain(relativeTo(base, path));
}

/** `path` relative to `base`. It must be below `base`. */
export function relativeTo(base: VirtualPath, path: VirtualPath): string {
  return base === "" ? path : path.slice(base.length + 1);
}
