import { joinPath, ROOT, type VirtualPath } from "../path/virtual-path.js";
import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import { ContentIds } from "./content-ids.js";
import { byRevision, entriesBelow, entryOf, type IdOf } from "./memory-entry.js";
import type { MemoryDirectory, MemoryNode } from "./memory-node.js";
import type { MemoryVersion } from "./memory-tree.js";

/** A version of a tree in memory, for reading and comparing. */
export class MemoryView implements TreeView {
  readonly #root: MemoryDirectory;

  constructor(version: MemoryVersion) {
    this.#root = version.root;
  }

  *entries(): Generator<TreeEntry, void, void> {
    yield* entriesBelow(this.#root, ROOT, byRevision);
  }

  entriesUnlike(other: TreeView): Unlike {
    if (!(other instanceof MemoryView)) return { mine: this.entries(), theirs: [] };
    const ids = new ContentIds();
    const idOf: IdOf = (content) => ids.idOf(content);
    return {
      mine: unlikeEntries(this.#root, other.#root, ROOT, idOf),
      theirs: unlikeEntries(other.#root, this.#root, ROOT, idOf),
    };
  }
}

interface Unlike {
  readonly mine: Iterable<TreeEntry>;
  readonly theirs: Iterable<TreeEntry>;
}

/**
 * The entries of `mine` that may differ from `theirs`. Shared nodes are skipped, and versions of one tree share
 * nearly all nodes.
 */
function* unlikeEntries(
  mine: MemoryDirectory,
  theirs: MemoryDirectory,
  path: VirtualPath,
  idOf: IdOf,
): Generator<TreeEntry, void, void> {
  const unlike: [MemoryNode, MemoryNode | undefined, VirtualPath][] = [];
  mine.children.forEachUnlike(theirs.children, (left, right, name) => {
    if (left !== undefined) unlike.push([left, right, joinPath(path, name)]);
  });
  for (const [left, right, childPath] of unlike) {
    if (haveSameContent(left, right)) continue;
    yield entryOf(childPath, left, idOf);
    if (left.kind !== "directory") continue;
    if (right?.kind === "directory") yield* unlikeEntries(left, right, childPath, idOf);
    else yield* entriesBelow(left, childPath, idOf);
  }
}

/** Two nodes can be written separately and still be equal. */
function haveSameContent(left: MemoryNode, right: MemoryNode | undefined): boolean {
  if (left.kind !== "file" || right?.kind !== "file") return false;
  return (
    left.mode === right.mode &&
    left.modifiedAtMs === right.modifiedAtMs &&
    left.content.equals(right.content)
  );
}
