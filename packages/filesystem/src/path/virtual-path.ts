declare const NORMALIZED: unique symbol;

/**
 * A normalised path: POSIX, relative to the root, without empty, `.` or `..` segments and without control characters. The
 * root is `""`.
 */
export type VirtualPath = string & { readonly [NORMALIZED]: true };

export const ROOT = "" as VirtualPath;

/** The path of a direct child. `name` is a single segment. */
export function joinPath(parent: VirtualPath, name: string): VirtualPath {
  return (parent === "" ? name : `${parent}/${name}`) as VirtualPath;
}

/** The containing directory; the root is its own parent. */
export function parentPath(path: VirtualPath): VirtualPath {
  const slash = path.lastIndexOf("/");
  return (slash < 0 ? "" : path.slice(0, slash)) as VirtualPath;
}

export function baseName(path: VirtualPath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether `path` is `ancestor` or is below it. */
export function isWithin(path: VirtualPath, ancestor: VirtualPath): boolean {
  return ancestor === "" || path === ancestor || path.startsWith(`${ancestor}/`);
}
