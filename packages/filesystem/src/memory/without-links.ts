import type { MemoryDirectory } from "./memory-node.js";

/** The directory without links at any depth, or `directory` itself if it has none. New nodes belong to `owner`. */
export function withoutLinks(directory: MemoryDirectory, owner: number): MemoryDirectory {
  let changed: MemoryDirectory | undefined;
  const change = () => {
    changed ??= directory.copyFor(owner);
    changed.listing = undefined;
    return changed.children;
  };
  directory.children.forEach((child, name) => {
    if (child.kind === "symlink") change().delete(name);
    if (child.kind !== "directory") return;
    const kept = withoutLinks(child, owner);
    if (kept !== child) change().set(name, kept);
  });
  return changed ?? directory;
}
