import { mapInSlices } from "../content/time-slices.js";
import type { ChangeSet, FileChange, TreeChange } from "../snapshots/change-set.js";
import { unifiedPatch } from "./unified-patch.js";

/** Not a field of the set, because a printed change set must not show file contents. */
const SIDES = new WeakMap<ChangeSet, readonly TreeChange[]>();

/** `changes` must be sorted by path, in byte order. */
export async function createChangeSet(changes: readonly TreeChange[]): Promise<ChangeSet> {
  const set: ChangeSet = Object.freeze({
    files: Object.freeze(await mapInSlices(changes, describeChange)),
    isEmpty: changes.length === 0,
    toPatch: () => unifiedPatch(changes),
  });
  SIDES.set(set, changes);
  return set;
}

/** Both sides of every change in `set`; `undefined` for a set that `createChangeSet` did not make. */
export function treeChangesOf(set: ChangeSet): readonly TreeChange[] | undefined {
  return SIDES.get(set);
}

/** The path that a change is listed under. */
export function changedPath({ before, after }: TreeChange): string {
  return (after ?? before)?.path ?? "";
}

function describeChange(change: TreeChange): FileChange {
  const { type, before, after } = change;
  return Object.freeze({
    type,
    path: changedPath(change),
    ...(type === "renamed" && { oldPath: before?.path }),
    ...(before && { sizeBytesBefore: before.sizeBytes }),
    ...(after && { sizeBytesAfter: after.sizeBytes }),
  });
}
