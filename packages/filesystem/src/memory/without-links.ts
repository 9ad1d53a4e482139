import type { MemoryDirectory } from "./memory-node.js";

/** The same directory less the links in it, at any depth; itself where there are none. What is new belongs to `owner`. */
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
