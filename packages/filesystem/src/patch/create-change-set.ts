import { mapInSlices } from "../content/time-slices.js";
import { compareBytes } from "../path/byte-order.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import type { ChangeSet, FileChange, TreeChange } from "../snapshots/change-set.js";
import type { TreeEntry } from "../snapshots/tree-view.js";
import { unifiedPatch } from "./unified-patch.js";

/** `changes` must be sorted by path, in byte order. */
export async function createChangeSet(changes: readonly TreeChange[]): Promise<ChangeSet> {
  return Object.freeze({
    files: Object.freeze(await mapInSlices(changes, describeChange)),
    isEmpty: changes.length === 0,
    toPatch: () => unifiedPatch(changes),
    // A function, because a printed change set must not show file contents.
    entries: () => changes,
    filter: (keeps: (path: string) => boolean) => createChangeSet(filterChanges(changes, keeps)),
  });
}

/** The path that a change is listed under. */
function changedPath({ before, after }: TreeChange): string {
  return (after ?? before)?.path ?? "";
}

function filterChanges(
  changes: readonly TreeChange[],
  keeps: (path: string) => boolean,
): readonly TreeChange[] {
  if (typeof keeps !== "function") throw invalidArgument("filter", "keeps must be a function");
  const keptOf = (entry: TreeEntry | undefined) => entry && keeps(entry.path) && entry;
  const kept = changes.flatMap((change): TreeChange[] => {
    const before = keptOf(change.before) || undefined;
    const after = keptOf(change.after) || undefined;
    if (before === change.before && after === change.after) return [change];
    if (after !== undefined) return [{ type: "added", before: undefined, after }];
    return before ? [{ type: "deleted", before, after: undefined }] : [];
  });
  return kept.sort((a, b) => compareBytes(changedPath(a), changedPath(b)));
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
