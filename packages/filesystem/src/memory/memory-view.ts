import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import { joinPath, ROOT, type VirtualPath } from "../virtual-path.js";
import type { MemoryDirectory, MemoryNode } from "./memory-node.js";
import type { MemoryVersion } from "./memory-tree.js";

/** A version of a tree in memory, to be read and compared. */
export class MemoryView implements TreeView {
  readonly #root: MemoryDirectory;

  constructor(version: MemoryVersion) {
    this.#root = version.root;
  }

  *entries(): Generator<TreeEntry, void, void> {
    yield* below(this.#root, ROOT);
  }

  entriesUnlike(other: TreeView): { mine: TreeEntry[]; theirs: Iterable<TreeEntry> } {
    if (!(other instanceof MemoryView)) return { mine: [...this.entries()], theirs: [] };
    const mine: TreeEntry[] = [];
    const theirs: TreeEntry[] = [];
    collectUnlike(this.#root, other.#root, ROOT, mine, theirs);
    return { mine, theirs };
  }
}

/** Passes over whatever both sides share; which between versions of one tree is nearly everything. */
function collectUnlike(
  a: MemoryDirectory,
  b: MemoryDirectory,
  path: VirtualPath,
  mine: TreeEntry[],
  theirs: TreeEntry[],
): void {
  if (a === b) return;
  a.children.forEachUnlike(b.children, (left, right, name) => {
    const childPath = joinPath(path, name);
    if (left?.kind === "directory" && right?.kind === "directory") {
      const mineAt = mine.push(entryOf(childPath, left));
      const theirsAt = theirs.push(entryOf(childPath, right));
      collectUnlike(left, right, childPath, mine, theirs);
      if (mine.length > mineAt || theirs.length > theirsAt) return;
      // Nothing differs inside, so the directories themselves do not either.
      mine.pop();
      theirs.pop();
      return;
    }
    const [leftEntry, rightEntry] = unlikeEntries(childPath, left, right);
    if (leftEntry) mine.push(leftEntry, ...insides(left, childPath));
    if (rightEntry) theirs.push(rightEntry, ...insides(right, childPath));
  });
}

/** Both entries, or neither when they hold the same; equal content has the same id on both sides. */
function unlikeEntries(
  path: VirtualPath,
  left: MemoryNode | undefined,
  right: MemoryNode | undefined,
): [TreeEntry | undefined, TreeEntry | undefined] {
  const mine = left && entryOf(path, left);
  const theirs = right && entryOf(path, right);
  if (left?.kind !== "file" || right?.kind !== "file") return [mine, theirs];
  if (!left.content.equals(right.content)) return [mine, theirs];
  if (left.executable === right.executable) return [undefined, undefined];
  return [mine, { ...entryOf(path, right), contentId: left.content.revision }];
}

function insides(node: MemoryNode | undefined, path: VirtualPath): Iterable<TreeEntry> {
  return node?.kind === "directory" ? below(node, path) : [];
}

function* below(directory: MemoryDirectory, path: VirtualPath): Generator<TreeEntry, void, void> {
  const children: [MemoryNode, VirtualPath][] = [];
  directory.children.forEach((child, name) => {
    children.push([child, joinPath(path, name)]);
  });
  for (const [child, childPath] of children) {
    yield entryOf(childPath, child);
    if (child.kind === "directory") yield* below(child, childPath);
  }
}

function entryOf(path: VirtualPath, node: MemoryNode): TreeEntry {
  if (node.kind === "directory")
    return {
      path,
      kind: "directory",
      executable: false,
      sizeBytes: 0,
      contentId: "",
      read: () => new Uint8Array(),
    };
  if (node.kind === "symlink") {
    const { target } = node;
    const contentId = `link-${target.join(",")}`;
    return {
      path,
      kind: "symlink",
      executable: false,
      sizeBytes: target.length,
      contentId,
      read: () => target,
    };
  }
  const { content, executable } = node;
  return {
    path,
    kind: "file",
    executable,
    sizeBytes: content.sizeBytes,
    contentId: content.revision,
    read: () => content.bytes(),
  };
}
