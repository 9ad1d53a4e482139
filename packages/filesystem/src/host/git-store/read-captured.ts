import { SnapshotError } from "../../snapshots/snapshot-error.js";
import type { ObjectDatabase } from "./object-database.js";
import { decodeTree, type TreeItem } from "./tree-object.js";

/** @throws SnapshotError `CORRUPT` */
export function readTree(objects: ObjectDatabase, id: string): readonly TreeItem[] {
  const object = objects.read(id);
  const items = object?.type === "tree" ? decodeTree(objects.format, object.content) : undefined;
  if (items === undefined) throw damaged(id);
  return items;
}

/** @throws SnapshotError `CORRUPT` */
export function readBlob(objects: ObjectDatabase, id: string): Buffer {
  const object = objects.read(id);
  if (object?.type !== "blob") throw damaged(id);
  return object.content;
}

function damaged(id: string): SnapshotError {
  return new SnapshotError("CORRUPT", {
    reason: `the object ${id} is missing or damaged, so nothing was restored`,
  });
}
