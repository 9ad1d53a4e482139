import type { FileContent } from "../content/file-content.js";
import { joinPath, ROOT, type VirtualPath } from "../path/virtual-path.js";
import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import { ContentIds } from "./content-ids.js";
import { byRevision, entriesBelow, entryOf, type IdOf } from "./memory-entry.js";
import type { MemoryDirectory, MemoryNode, NodeContent } from "./memory-node.js";
import type { MemoryVersion } from "./memory-tree.js";

/** A version of a tree, for reading and comparing. */
export class TreeVersionView<Content extends NodeContent> implements TreeView {
  readonly #root: MemoryDirectory<Content>;
  /** Makes the ids for one comparison. */
  readonly #ids: () => IdOf<Content>;

  constructor(version: MemoryVersion<Content>, ids: () => IdOf<Content>) {
    this.#root = version.root;
    this.#ids = ids;
  }

  *entries(): Generator<TreeEntry, void, void> {
    yield* entriesBelow(this.#root, ROOT, byRevision);
  }

  entriesUnlike(other: TreeView): Unlike {
    if (!(other instanceof TreeVersionView)) return { mine: this.entries(), theirs: [] };
    const idOf = this.#ids();
    return {
      mine: unlikeEntries(this.#root, other.#root, ROOT, idOf),
      theirs: unlikeEntries(other.#root, this.#root, ROOT, idOf),
    };
  }
}

/** A version of a tree in memory. */
export class MemoryView extends TreeVersionView<FileContent> {
  constructor(version: MemoryVersion) {
    super(version, () => {
      const ids = new ContentIds();
      return (content) => ids.idOf(content);
    });
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
function* unlikeEntries<Content extends NodeContent>(
  mine: MemoryDirectory<Content>,
  theirs: MemoryDirectory<Content>,
  path: VirtualPath,
  idOf: IdOf<Content>,
): Generator<TreeEntry, void, void> {
  const unlike: [MemoryNode<Content>, MemoryNode<Content> | undefined, VirtualPath][] = [];
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
function haveSameContent<Content extends NodeContent>(
  left: MemoryNode<Content>,
  right: MemoryNode<Content> | undefined,
): boolean {
  if (left.kind !== "file" || right?.kind !== "file") return false;
  return (
    left.mode === right.mode &&
    left.modifiedAtMs === right.modifiedAtMs &&
    left.content.equals(right.content)
  );
}
