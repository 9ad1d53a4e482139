import type { VirtualPath } from "../../path/virtual-path.js";
import { SnapshotError } from "../../snapshots/snapshot-error.js";
import type { TreeEntry } from "../../snapshots/tree-view.js";
import type { ObjectDatabase } from "../git-store/object-database.js";
import { leafOf, TreeBuilder } from "../git-store/tree-builder.js";
import { isPlaceable, putContent } from "./store-view.js";

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
  const root = new TreeBuilder(objects, base?.treeId);
  for (const path of base?.removed ?? []) root.remove(path.split("/"), true);
  for await (const entry of entries) {
    signal?.throwIfAborted();
    if (!isPlaceable(entry.path))
      throw new SnapshotError("INVALID_ARCHIVE", { paths: [entry.path] });
    const segments = entry.path.split("/");
    const name = segments.pop() ?? "";
    const folder = root.open(segments);
    if (entry.kind === "directory") folder.open([name]).set(entry);
    else folder.put(name, leafOf(entry, await putContent(objects, entry)));
  }
  return root.store();
}
