import { copyBytes } from "../content/bytes.js";
import { parentPath, type VirtualPath } from "../path/virtual-path.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";
import { modeOf, type TreeEntry } from "../snapshots/tree-view.js";
import type { NodeContent } from "./memory-node.js";
import type { MemoryTree, MemoryVersion } from "./memory-tree.js";

/** Removes a node and every directory that becomes empty. */
export function removeWithParents<Content extends NodeContent>(
  tree: MemoryTree<Content>,
  path: VirtualPath,
  now: number,
): void {
  if (tree.find(path) === undefined) return;
  tree.remove(path, now);
  for (let at = parentPath(path); at !== ""; at = parentPath(at)) {
    const node = tree.find(at);
    if (node?.kind !== "directory" || node.children.size > 0) return;
    tree.remove(at, now);
  }
}

function addDirectories<Content extends NodeContent>(
  tree: MemoryTree<Content>,
  path: VirtualPath,
  now: number,
): void {
  const kind = tree.find(path)?.kind;
  if (kind === "directory") return;
  addDirectories(tree, parentPath(path), now);
  if (kind !== undefined) tree.remove(path, now);
  tree.addDirectory(path, now);
}

/** Adds the entries of another source. Directories come before their contents. */
export async function addEntries<Content extends NodeContent>(
  tree: MemoryTree<Content>,
  entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
  clock: () => number,
  contentOf: (bytes: Uint8Array) => MaybePromise<Content>,
): Promise<MemoryVersion<Content>> {
  const directories: TreeEntry[] = [];
  for await (const entry of entries) {
    const { path, kind, modifiedAtMs } = entry;
    const existing = tree.find(path);
    if (existing !== undefined && existing.kind !== kind) tree.remove(path, clock());
    if (kind === "directory") {
      addDirectories(tree, path, clock());
      directories.push(entry);
      continue;
    }
    addDirectories(tree, parentPath(path), clock());
    const bytes = copyBytes(await entry.read());
    const time = modifiedAtMs ?? clock();
    if (kind === "symlink") tree.addLink(path, bytes, time);
    else tree.putFile(path, await contentOf(bytes), modeOf(entry), time);
  }
  // Last, because adding a node changes the time of its directory.
  for (const { path, mode, modifiedAtMs } of directories) {
    if (mode === undefined && modifiedAtMs === undefined) continue;
    tree.setDirectory(path, mode, modifiedAtMs);
  }
  return tree.keep();
}
