import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import { joinPath, ROOT, type VirtualPath } from "../virtual-path.js";
import { ContentIds } from "./content-ids.js";
import { byRevision, entriesBelow, entryOf, type IdOf } from "./memory-entry.js";
import type { MemoryDirectory, MemoryNode } from "./memory-node.js";
import type { MemoryVersion } from "./memory-tree.js";

/** A version of a tree in memory, to be read and compared. */
export class MemoryView implements TreeView {
  readonly #root: MemoryDirectory;

  constructor(version: MemoryVersion) {
    this.#root = version.root;
  }

  *entries(): Generator<TreeEntry, void, void> {
    yield* entriesBelow(this.#root, ROOT, byRevision);
  }

  entriesUnlike(other: TreeView): Unlike {
    if (!(other instanceof MemoryView)) return { mine: [...this.entries()], theirs: [] };
    const unlike = { mine: [], theirs: [] };
    const ids = new ContentIds();
    collectUnlike(this.#root, other.#root, ROOT, unlike, (content) => ids.idOf(content));
    return unlike;
  }
}

interface Unlike {
  readonly mine: TreeEntry[];
  readonly theirs: TreeEntry[];
}

/** Passes over whatever both sides share; which between versions of one tree is nearly everything. */
function collectUnlike(
  a: MemoryDirectory,
  b: MemoryDirectory,
  path: VirtualPath,
  unlike: Unlike,
  idOf: IdOf,
): void {
  const { mine, theirs } = unlike;
  a.children.forEachUnlike(b.children, (left, right, name) => {
    const childPath = joinPath(path, name);
    if (left?.kind === "directory" && right?.kind === "directory") {
      const mineAt = mine.push(entryOf(childPath, left, idOf));
      const theirsAt = theirs.push(entryOf(childPath, right, idOf));
      collectUnlike(left, right, childPath, unlike, idOf);
      if (mine.length > mineAt || theirs.length > theirsAt) return;
      // Nothing differs inside, so the directories themselves do not either.
      mine.pop();
      theirs.pop();
    } else if (!areAlike(left, right)) {
      collectAll(left, childPath, mine, idOf);
      collectAll(right, childPath, theirs, idOf);
    }
  });
}

/** Two nodes can be written apart and yet hold the same. */
function areAlike(left: MemoryNode | undefined, right: MemoryNode | undefined): boolean {
  if (left?.kind !== "file" || right?.kind !== "file") return false;
  return left.executable === right.executable && left.content.equals(right.content);
}

function collectAll(
  node: MemoryNode | undefined,
  path: VirtualPath,
  entries: TreeEntry[],
  idOf: IdOf,
): void {
  if (node === undefined) return;
  entries.push(entryOf(path, node, idOf));
  if (node.kind !== "directory") return;
  for (const entry of entriesBelow(node, path, idOf)) entries.push(entry);
}
