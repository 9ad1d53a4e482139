import { baseName, type VirtualPath } from "../../path/virtual-path.js";
import type { GlobPattern } from "./glob-pattern.js";

/**
 * Whether a search that starts at `base` looks into the directory `path` below it.
 *
 * A `.git` directory is never looked into, unless the search starts inside it; nor is one in which
 * nothing can match `pattern`.
 */
export function shouldEnter(path: VirtualPath, base: VirtualPath, pattern?: GlobPattern): boolean {
  if (baseName(path) === ".git") return false;
  return pattern === undefined || pattern.mayContain(relativeTo(base, path));
}

/** `path` as seen from `base`, which it lies below. */
export function relativeTo(base: VirtualPath, path: VirtualPath): string {
  return base === "" ? path : path.slice(base.length + 1);
}
