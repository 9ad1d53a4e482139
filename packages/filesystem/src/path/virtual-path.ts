import { requireText } from "./require-text.js";

declare const NORMALIZED: unique symbol;

/**
 * A normalised path: POSIX, relative to the root, without empty, `.` or `..` segments and without control characters. The
 * root is `""`.
 */
export type VirtualPath = string & { readonly [NORMALIZED]: true };

export const ROOT = "" as VirtualPath;

/** The path of a direct child. `name` is a single segment. */
export function joinPath(parent: VirtualPath, name: string): VirtualPath {
  requireText("joinPath", parent);
  requireText("joinPath", name);
  return (parent === "" ? name : `${parent}/${name}`) as VirtualPath;
}

/** The containing directory; the root is its own parent. */
export function parentPath(path: VirtualPath): VirtualPath {
  requireText("parentPath", path);
  const slash = path.lastIndexOf("/");
  return (slash < 0 ? "" : path.slice(0, slash)) as VirtualPath;
}

export function baseName(path: VirtualPath): string {
  requireText("baseName", path);
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether `path` is `ancestor` or is below it. */
export function isWithin(path: VirtualPath, ancestor: VirtualPath): boolean {
  requireText("isWithin", path);
  requireText("isWithin", ancestor);
  return ancestor === "" || path === ancestor || path.startsWith(`${ancestor}/`);
}
