import { rawName } from "../../path/host-name.js";
import { joinPath, ROOT, type VirtualPath } from "../../path/virtual-path.js";
import type { TreeEntry, TreeView } from "../../snapshots/tree-view.js";
import { LARGE_FILE_BYTES } from "../git-store/blob-reader.js";
import { fromStoreError } from "../git-store/from-store-error.js";
import type { ObjectDatabase } from "../git-store/object-database.js";
import { readBlob, readTree } from "../git-store/read-captured.js";
import type { TreeItem } from "../git-store/tree-object.js";

/** A captured tree. Everything is read lazily. */
export class StoreView implements TreeView {
  readonly treeId: string;
  readonly #objects: ObjectDatabase;

  constructor(objects: ObjectDatabase, treeId: string) {
    this.#objects = objects;
    this.treeId = treeId;
  }

  entries(): Iterable<TreeEntry> {
    return walk(this.#objects, this, this.treeId, undefined);
  }

  *entriesAt(paths: readonly VirtualPath[]): Iterable<TreeEntry> {
    for (const path of paths) {
      const item = find(this.#objects, this.treeId, path.split("/"));
      if (item === undefined) continue;
      yield new StoreEntry(this.#objects, this, path, item);
      if (item.kind === "directory") yield* walk(this.#objects, this, item.id, undefined, path);
    }
  }

  /** Directories that are equal on both sides, at any depth, are not read. */
  entriesUnlike(other: TreeView): { mine: Iterable<TreeEntry>; theirs: Iterable<TreeEntry> } {
    if (!(other instanceof StoreView) || other.#objects !== this.#objects)
      throw new TypeError("the views belong to different stores");
    return {
      mine: walk(this.#objects, this, this.treeId, other.treeId),
      theirs: walk(this.#objects, other, other.treeId, this.treeId),
    };
  }
}

interface Pair {
  readonly path: VirtualPath;
  readonly items: readonly TreeItem[];
  readonly others: ReadonlyMap<string, TreeItem>;
  next: number;
}

/** The generator references `view`, so that its objects are not collected during the walk. */
function* walk(
  objects: ObjectDatabase,
  view: StoreView,
  treeId: string,
  otherId: string | undefined,
  base: VirtualPath = ROOT,
): Generator<TreeEntry, void, void> {
  if (treeId === otherId) return;
  const stack: Pair[] = [open(objects, base, treeId, otherId)];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const item = top.items[top.next++];
    if (item === undefined) {
      stack.pop();
      continue;
    }
    const other = top.others.get(item.name);
    if (other !== undefined && isAlike(item, other)) continue;
    const path = joinPath(top.path, item.name);
    yield new StoreEntry(objects, view, path, item);
    if (item.kind === "directory")
      stack.push(open(objects, path, item.id, other?.kind === "directory" ? other.id : undefined));
  }
}

/** Whether a diff can skip two items. It compares the modes of files, and no times. */
function isAlike(item: TreeItem, other: TreeItem): boolean {
  const isSame = other.id === item.id && other.kind === item.kind;
  return isSame && (item.kind === "directory" || item.mode === other.mode);
}

function find(
  objects: ObjectDatabase,
  treeId: string,
  [name, ...rest]: readonly string[],
): TreeItem | undefined {
  const item = readTree(objects, treeId).find((each) => each.name === name);
  if (rest.length === 0 || item === undefined) return item;
  return item.kind === "directory" ? find(objects, item.id, rest) : undefined;
}

function open(
  objects: ObjectDatabase,
  path: VirtualPath,
  id: string,
  otherId: string | undefined,
): Pair {
  const others = otherId === undefined ? [] : readTree(objects, otherId);
  return {
    path,
    items: readTree(objects, id),
    others: new Map(others.map((item) => [item.name, item])),
    next: 0,
  };
}

class StoreEntry implements TreeEntry {
  readonly path: VirtualPath;
  readonly kind: TreeEntry["kind"];
  readonly executable: boolean;
  readonly mode: number | undefined;
  readonly modifiedAtMs: number | undefined;
  readonly contentId: string;
  readonly #objects: ObjectDatabase;
  /** Referenced, so that its objects are not garbage-collected. */
  readonly view: StoreView;
  #sizeBytes: number | undefined;

  constructor(objects: ObjectDatabase, view: StoreView, path: VirtualPath, item: TreeItem) {
    this.#objects = objects;
    this.view = view;
    this.path = path;
    this.kind = item.kind === "executable" ? "file" : item.kind;
    this.executable = item.kind === "executable";
    this.mode = item.mode;
    this.modifiedAtMs = item.modifiedAtMs;
    this.contentId = item.kind === "directory" ? "" : item.id;
  }

  get sizeBytes(): number {
    if (this.kind === "directory") return 0;
    this.#sizeBytes ??= this.#objects.largeBytes(this.contentId) ?? this.read().length;
    return this.#sizeBytes;
  }

  /** The ID of the content in `objects`, if it is large and already there. */
  largeBlobIn(objects: ObjectDatabase): string | undefined {
    const isThere = this.kind === "file" && objects.format === this.#objects.format;
    return isThere && objects.largeBytes(this.contentId) !== undefined ? this.contentId : undefined;
  }

  async *parts(): AsyncGenerator<Uint8Array, void, void> {
    try {
      if (this.#objects.largeBytes(this.contentId) === undefined) yield this.read();
      else yield* this.#objects.loose.parts(this.contentId);
    } catch (error) {
      throw fromStoreError(error, "readSnapshot", this.path);
    }
  }

  read(): Uint8Array {
    if (this.kind === "directory") return new Uint8Array();
    try {
      return readBlob(this.#objects, this.contentId);
    } catch (error) {
      // A caller may read long after the operation that returned the view.
      throw fromStoreError(error, "readSnapshot", this.path);
    }
  }
}

/** Stores the content of a file or link, in parts if it is large. A large content that is there is not read. */
export async function putContent(
  objects: ObjectDatabase,
  entry: Omit<TreeEntry, "contentId">,
): Promise<string> {
  const known = entry instanceof StoreEntry ? entry.largeBlobIn(objects) : undefined;
  if (known !== undefined) return known;
  if (entry.kind === "file" && entry.parts !== undefined && entry.sizeBytes > LARGE_FILE_BYTES)
    return await objects.putParts(entry.sizeBytes, entry.parts());
  return objects.put("blob", await entry.read());
}

/** Whether every segment of a path is a name that can exist on disk. */
export function isPlaceable(path: string): boolean {
  return path.split("/").every((segment) => segment !== "" && rawName(segment) !== undefined);
}
