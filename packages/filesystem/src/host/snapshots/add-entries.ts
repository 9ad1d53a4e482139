import { SnapshotError } from "../../snapshots/snapshot-error.js";
import type { TreeEntry } from "../../snapshots/tree-view.js";
import type { ObjectDatabase } from "../git-store/object-database.js";
import { type EntryKind, encodeTree } from "../git-store/tree-object.js";
import { isPlaceable } from "./store-view.js";

type Folder = Map<string, Folder | { readonly kind: EntryKind; readonly id: string }>;

/** Stores imported nodes in the database and returns the ID of their tree. */
export async function addEntries(
  objects: ObjectDatabase,
  entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const root: Folder = new Map();
  for await (const entry of entries) {
    signal?.throwIfAborted();
    if (!isPlaceable(entry.path))
      throw new SnapshotError("INVALID_ARCHIVE", { paths: [entry.path] });
    const segments = entry.path.split("/");
    const name = segments.pop() ?? "";
    const folder = descend(root, segments);
    if (entry.kind === "directory") openFolder(folder, name);
    else folder.set(name, { kind: kindOf(entry), id: objects.put("blob", await entry.read()) });
  }
  return putFolder(objects, root);
}

function descend(root: Folder, segments: readonly string[]): Folder {
  return segments.reduce(openFolder, root);
}

function openFolder(folder: Folder, name: string): Folder {
  const existing = folder.get(name);
  if (existing instanceof Map) return existing;
  const made: Folder = new Map();
  folder.set(name, made);
  return made;
}

function kindOf({ kind, executable }: TreeEntry): EntryKind {
  if (kind === "symlink") return "symlink";
  return executable ? "executable" : "file";
}

function putFolder(objects: ObjectDatabase, folder: Folder): string {
  const items = [...folder].map(([name, node]) =>
    node instanceof Map
      ? { name, kind: "directory" as const, id: putFolder(objects, node) }
      : { name, ...node },
  );
  return objects.put("tree", encodeTree(items));
}
