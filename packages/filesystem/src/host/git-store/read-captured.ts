import { SnapshotError } from "../../snapshots/snapshot-error.js";
import type { ObjectDatabase } from "./object-database.js";
import { ATTRIBUTES_ITEM, decodeAttributes } from "./tree-attributes.js";
import { decodeTree, type TreeItem } from "./tree-object.js";

/** The nodes of a directory with their attributes. @throws SnapshotError `CORRUPT` */
export function readTree(objects: ObjectDatabase, id: string): readonly TreeItem[] {
  const object = objects.read(id);
  const items = object?.type === "tree" ? decodeTree(objects.format, object.content) : undefined;
  if (items === undefined) throw damaged(id);
  const side = items.find(({ name }) => name === ATTRIBUTES_ITEM);
  if (side === undefined) return items;
  const attributes = decodeAttributes(readBlob(objects, side.id));
  return items
    .filter((item) => item !== side)
    .map((item) => ({ ...item, ...attributes.get(item.name) }));
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
