import type { ObjectDatabase } from "./object-database.js";
import { parentsOfCommit, treeOfCommit } from "./state-commit.js";
import { decodeTree } from "./tree-object.js";

/** Called with the ID of a needed object that cannot be read. */
export type OnMissing = (id: string) => void;

/**
 * Adds all objects that are reachable from `ids`, which are commits or trees, to `reached`. Objects that are
 * already in `reached` are not read again.
 */
export function reach(
  objects: ObjectDatabase,
  ids: Iterable<string>,
  reached: Set<string>,
  onMissing: OnMissing = () => {},
): void {
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    const object = objects.read(id);
    if (object === undefined) onMissing(id);
    else if (object.type === "commit")
      open.push(treeOfCommit(object.content), ...parentsOfCommit(object.content));
    else if (object.type === "tree") {
      const items = decodeTree(objects.format, object.content);
      if (items === undefined) onMissing(id);
      for (const item of items ?? []) {
        if (item.kind === "directory") open.push(item.id);
        else reached.add(item.id);
      }
    }
  }
}

/** The size on disk of all objects that are reachable from these commits. */
export function heldBytes(objects: ObjectDatabase, commitIds: Iterable<string>): number {
  const reached = new Set<string>();
  reach(objects, commitIds, reached);
  let sum = 0;
  for (const id of reached) sum += objects.sizeBytes(id);
  return sum;
}
