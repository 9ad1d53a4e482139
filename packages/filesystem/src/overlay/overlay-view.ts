import { hex, sha256 } from "../operations/revision.js";
import { joinPath, ROOT, type VirtualPath } from "../path/virtual-path.js";
import { isFilesystemError } from "../protocol/filesystem-error.js";
import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import { isSameNode, type OverlayNode, type OwnContent } from "./overlay-node.js";
import { OverlayTree } from "./overlay-tree.js";

/** Each content is hashed once. */
const contentIds = new WeakMap<OwnContent, Promise<string>>();

/** A version of an overlay. */
export class OverlayView implements TreeView {
  readonly #tree: OverlayTree;

  constructor(tree: OverlayTree, root: OverlayNode) {
    this.#tree = new OverlayTree(tree.base, () => tree.now(), root);
  }

  entries(): AsyncIterable<TreeEntry> {
    return this.#below(ROOT, this.#tree.root);
  }

  /** Skips what both versions share, and what neither has changed. */
  entriesUnlike(other: TreeView): {
    readonly mine: AsyncIterable<TreeEntry>;
    readonly theirs: AsyncIterable<TreeEntry>;
  } {
    if (!(other instanceof OverlayView))
      return { mine: this.entries(), theirs: other.entries() as AsyncIterable<TreeEntry> };
    return {
      mine: this.#unlike(other.#tree, ROOT, this.#tree.root, other.#tree.root),
      theirs: other.#unlike(this.#tree, ROOT, other.#tree.root, this.#tree.root),
    };
  }

  async *#below(path: VirtualPath, directory: OverlayNode): AsyncGenerator<TreeEntry, void, void> {
    for (const [name, node] of await this.#tree.childrenOf(directory, {})) {
      if (node.kind === "special") continue;
      const at = joinPath(path, name);
      const entry = await this.#visibleEntry(at, node);
      if (entry !== undefined) yield entry;
      if (node.kind === "directory") yield* this.#below(at, node);
    }
  }

  async *#unlike(
    others: OverlayTree,
    path: VirtualPath,
    mine: OverlayNode,
    theirs: OverlayNode | undefined,
  ): AsyncGenerator<TreeEntry, void, void> {
    if (isSameNode(mine, theirs)) return;
    const children = theirs && (await others.childrenOf(theirs, {}));
    for (const [name, node] of await this.#tree.childrenOf(mine, {})) {
      const their = children?.get(name);
      if (node.kind === "special" || isSameNode(node, their)) continue;
      const at = joinPath(path, name);
      const entry = await this.#visibleEntry(at, node);
      if (entry !== undefined) yield entry;
      if (node.kind === "directory") yield* this.#unlike(others, at, node, their);
    }
  }

  /** `undefined` for a file of the base whose content the base does not show, such as a secret. */
  async #visibleEntry(path: VirtualPath, node: OverlayNode): Promise<TreeEntry | undefined> {
    try {
      return await this.#entry(path, node);
    } catch (error) {
      if (node.source === "base" && isFilesystemError(error, "EACCES")) return undefined;
      throw error;
    }
  }

  async #entry(path: VirtualPath, node: OverlayNode): Promise<TreeEntry> {
    const tree = this.#tree;
    const { sizeBytes, mode = 0o644, modifiedAtMs } = await tree.describe(node, {});
    return {
      path,
      // Special files are skipped.
      kind: node.kind as TreeEntry["kind"],
      executable: node.kind === "file" && (mode & 0o100) !== 0,
      ...{ mode, modifiedAtMs },
      sizeBytes: node.kind === "directory" ? 0 : sizeBytes,
      contentId: await this.#contentId(node),
      read: () => tree.readWhole(node, {}),
    };
  }

  async #contentId(node: OverlayNode): Promise<string> {
    if (node.kind === "directory") return "";
    if (node.source === "base" && node.kind === "file")
      return await this.#tree.base.contentId(node.path, {});
    if (node.source === "base") return hex(await sha256(await this.#tree.readWhole(node, {})));
    const own = node as OwnContent;
    const known = contentIds.get(own) ?? sha256(own.bytes).then(hex);
    contentIds.set(own, known);
    return await known;
  }
}
