import { posix } from "node:path";

/** Whether the target of a link at `path` is relative and, read as text, stays below the root that `path` is relative to. */
export function staysInside(target: string, path: string): boolean {
  if (target === "" || target.startsWith("/")) return false;
  const resolved = posix.join(posix.dirname(path), target);
  return resolved !== ".." && !resolved.startsWith("../");
}
