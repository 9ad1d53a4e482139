import type { ObjectDatabase } from "./object-database.js";
import { readTree } from "./read-captured.js";
import { type EntryKind, encodeTree } from "./tree-object.js";

/** A file or a link of a tree. */
export interface TreeLeaf {
  readonly kind: Exclude<EntryKind, "directory">;
  readonly id: string;
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

  /** @param treeId where the directory starts; empty if `undefined` */
  constructor(objects: ObjectDatabase, treeId: string | undefined) {
    this.#objects = objects;
    this.#treeId = treeId;
  }

  /** The directory at this path. Creates missing ones and replaces files. */
  open(segments: readonly string[]): TreeBuilder {
    return segments.reduce<TreeBuilder>((at, name) => at.#open(name), this);
  }

  put(name: string, leaf: TreeLeaf): void {
    this.#read().set(name, leaf);
    this.#treeId = undefined;
  }

  /** Removes the node at this path. Its directory stays, also if it is empty then. */
  remove([name = "", ...rest]: readonly string[]): void {
    const nodes = this.#read();
    const node = nodes.get(name);
    if (node === undefined) return;
    this.#treeId = undefined;
    if (rest.length === 0) nodes.delete(name);
    else if (node instanceof TreeBuilder) node.remove(rest);
  }

  /** Stores the changed directories and returns the ID of this one. */
  store(): string {
    if (this.#treeId !== undefined) return this.#treeId;
    const items = [...this.#read()].map(([name, node]) =>
      node instanceof TreeBuilder
        ? { name, kind: "directory" as const, id: node.store() }
        : { name, ...node },
    );
    this.#treeId = this.#objects.put("tree", encodeTree(items));
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
      stored.map(({ name, kind, id }) => [
        name,
        kind === "directory" ? new TreeBuilder(this.#objects, id) : { kind, id },
      ]),
    );
    return this.#nodes;
  }
}
