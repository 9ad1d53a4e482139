import type { VirtualPath } from "../../path/virtual-path.js";
import { SnapshotError } from "../../snapshots/snapshot-error.js";
import type { TreeEntry } from "../../snapshots/tree-view.js";
import type { ObjectDatabase } from "../git-store/object-database.js";
import { readTree } from "../git-store/read-captured.js";
import { type EntryKind, encodeTree } from "../git-store/tree-object.js";
import { isPlaceable } from "./store-view.js";

interface Leaf {
  readonly kind: Exclude<EntryKind, "directory">;
  readonly id: string;
}

/** Where the tree starts. */
export interface BaseTree {
  readonly treeId: string | undefined;
  readonly removed: readonly VirtualPath[];
}

/** Stores nodes in the database and returns the ID of their tree, or of the base tree with these changes. */
export async function addEntries(
  objects: ObjectDatabase,
  entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
  signal: AbortSignal | undefined,
  base?: BaseTree,
): Promise<string> {
  const root = new Folder(objects, base?.treeId);
  for (const path of base?.removed ?? []) root.remove(path.split("/"));
  for await (const entry of entries) {
    signal?.throwIfAborted();
    if (!isPlaceable(entry.path))
      throw new SnapshotError("INVALID_ARCHIVE", { paths: [entry.path] });
    const segments = entry.path.split("/");
    const name = segments.pop() ?? "";
    const folder = segments.reduce((at, segment) => at.open(segment), root);
    if (entry.kind === "directory") folder.open(name);
    else folder.put(name, { kind: kindOf(entry), id: objects.put("blob", await entry.read()) });
  }
  return root.store();
}

/** A directory of the tree that is built. The content of a stored one is read when it is needed. */
class Folder {
  readonly #objects: ObjectDatabase;
  #treeId: string | undefined;
  #nodes: Map<string, Folder | Leaf> | undefined;

  constructor(objects: ObjectDatabase, treeId: string | undefined) {
    this.#objects = objects;
    this.#treeId = treeId;
  }

  open(name: string): Folder {
    const existing = this.#read().get(name);
    this.#treeId = undefined;
    if (existing instanceof Folder) return existing;
    const made = new Folder(this.#objects, undefined);
    this.#read().set(name, made);
    return made;
  }

  put(name: string, leaf: Leaf): void {
    this.#read().set(name, leaf);
    this.#treeId = undefined;
  }

  /** Removes a node, and the directories that become empty. */
  remove([name = "", ...rest]: readonly string[]): void {
    const nodes = this.#read();
    const node = nodes.get(name);
    if (node === undefined) return;
    this.#treeId = undefined;
    if (rest.length === 0) nodes.delete(name);
    else if (node instanceof Folder) {
      const before = node.#read().size;
      node.remove(rest);
      if (node.#read().size === 0 && before > 0) nodes.delete(name);
    }
  }

  store(): string {
    if (this.#treeId !== undefined) return this.#treeId;
    const items = [...this.#read()].map(([name, node]) =>
      node instanceof Folder
        ? { name, kind: "directory" as const, id: node.store() }
        : { name, ...node },
    );
    return this.#objects.put("tree", encodeTree(items));
  }

  #read(): Map<string, Folder | Leaf> {
    const stored = this.#treeId === undefined ? [] : readTree(this.#objects, this.#treeId);
    this.#nodes ??= new Map(
      stored.map(({ name, kind, id }) => [
        name,
        kind === "directory" ? new Folder(this.#objects, id) : { kind, id },
      ]),
    );
    return this.#nodes;
  }
}

function kindOf({ kind, executable }: TreeEntry): Leaf["kind"] {
  if (kind === "symlink") return "symlink";
  return executable ? "executable" : "file";
}
