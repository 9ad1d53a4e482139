import type { TreeEntry } from "../../snapshots/tree-view.js";
import type { ObjectDatabase } from "./object-database.js";
import { readTree } from "./read-captured.js";
import type { NodeAttributes } from "./tree-attributes.js";
import { type EntryKind, putTree } from "./tree-object.js";

/** A file or a link of a tree. */
export interface TreeLeaf extends NodeAttributes {
  readonly kind: Exclude<EntryKind, "directory">;
  readonly id: string;
}

/** Makes the leaf for a file or link whose content is stored as `id`. */
export function leafOf(entry: Omit<TreeEntry, "contentId">, id: string): TreeLeaf {
  const { kind, executable, mode, modifiedAtMs } = entry;
  if (kind === "symlink") return { kind, id, modifiedAtMs };
  return { kind: executable ? "executable" : "file", id, mode, modifiedAtMs };
}

/**
 * A directory of a tree that is being changed. Stored directories are read only where something changes, so the cost
 * depends on the changed paths and not on the size of the tree.
 */
export class TreeBuilder {
  readonly #objects: ObjectDatabase;
  /** The stored tree with this content, or `undefined` if it has changed. */
  #treeId: string | undefined;
  #nodes: Map<string, TreeBuilder | TreeLeaf> | undefined;
  #attributes: NodeAttributes;

  /** @param treeId where the directory starts; empty if `undefined` */
  constructor(
    objects: ObjectDatabase,
    treeId: string | undefined,
    attributes: NodeAttributes = {},
  ) {
    this.#objects = objects;
    this.#treeId = treeId;
    this.#attributes = attributes;
  }

  /** The directory at this path. Creates missing ones and replaces files. */
  open(segments: readonly string[]): TreeBuilder {
    return segments.reduce<TreeBuilder>((at, name) => at.#open(name), this);
  }

  /** Sets the attributes of this directory, if they are known. Open it first. */
  set({ mode, modifiedAtMs }: NodeAttributes): void {
    if (mode !== undefined || modifiedAtMs !== undefined) this.#attributes = { mode, modifiedAtMs };
  }

  put(name: string, leaf: TreeLeaf): void {
    this.#read().set(name, leaf);
    this.#treeId = undefined;
  }

  /** Removes the node at this path. @param pruned whether directories that become empty are removed too */
  remove([name = "", ...rest]: readonly string[], pruned = false): void {
    const nodes = this.#read();
    const node = nodes.get(name);
    if (node === undefined) return;
    this.#treeId = undefined;
    if (rest.length === 0) nodes.delete(name);
    else if (node instanceof TreeBuilder) {
      const before = node.#read().size;
      node.remove(rest, pruned);
      if (pruned && node.#read().size === 0 && before > 0) nodes.delete(name);
    }
  }

  /** Stores the changed directories and returns the ID of this one. */
  store(): string {
    if (this.#treeId !== undefined) return this.#treeId;
    const items = [...this.#read()].map(([name, node]) =>
      node instanceof TreeBuilder
        ? { name, kind: "directory" as const, id: node.store(), ...node.#attributes }
        : { name, ...node },
    );
    this.#treeId = putTree((type, content) => this.#objects.put(type, content), items);
    return this.#treeId;
  }

  #open(name: string): TreeBuilder {
    const existing = this.#read().get(name);
    this.#treeId = undefined;
    if (existing instanceof TreeBuilder) return existing;
    const made = new TreeBuilder(this.#objects, undefined);
    this.#read().set(name, made);
    return made;
  }

  #read(): Map<string, TreeBuilder | TreeLeaf> {
    if (this.#nodes !== undefined) return this.#nodes;
    const stored = this.#treeId === undefined ? [] : readTree(this.#objects, this.#treeId);
    this.#nodes = new Map(
      stored.map(({ name, kind, id, mode, modifiedAtMs }) => [
        name,
        kind === "directory"
          ? new TreeBuilder(this.#objects, id, { mode, modifiedAtMs })
          : { kind, id, mode, modifiedAtMs },
      ]),
    );
    return this.#nodes;
  }
}
