import { equalBytes } from "../content/file-content.js";
import { parentPath } from "../path/virtual-path.js";
import { sortByPath } from "../search/walk/sort-by-path.js";
import { TimeSlices } from "../search/walk/time-slices.js";
import type { ChangeSet, TreeChange } from "../snapshots/change-set.js";
import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import { createChangeSet } from "./create-change-set.js";
import { pairRenames } from "./rename-pairs.js";

export interface CompareOptions {
  /**
   * Whether both views are of one backend, so that what they share can be passed over and
   * content told by its id. Otherwise files of equal size are read. @default true
   */
  readonly sameBackend?: boolean | undefined;
}

/** What changed from one state to another. Costs what the views say may differ, and pauses as long work must. */
export async function compareTrees(
  before: TreeView,
  after: TreeView,
  options: CompareOptions = {},
): Promise<ChangeSet> {
  return await createChangeSet(await treeChanges(before, after, options));
}

/** The same with both sides of each change, by path in byte order. */
export async function treeChanges(
  before: TreeView,
  after: TreeView,
  { sameBackend = true }: CompareOptions = {},
): Promise<readonly TreeChange[]> {
  const slices = new TimeSlices();
  const unlike = sameBackend ? before.entriesUnlike?.(after) : undefined;
  const left = await byPath(unlike?.mine ?? before.entries(), slices);
  const right = await byPath(unlike?.theirs ?? after.entries(), slices);

  const deleted = await withoutFullDirectories(await onlyIn(left, right, slices), slices);
  const added = await withoutFullDirectories(await onlyIn(right, left, slices), slices);
  const renames = await pairRenames(deleted, added, { sameBackend, slices });
  const moved = new Set<TreeEntry | undefined>();
  for (const change of renames) {
    moved.add(change.before).add(change.after);
    if (slices.spend()) await slices.pause();
  }
  const changes: Listed[] = [];
  const list = (type: TreeChange["type"], old: TreeEntry | undefined, now: TreeEntry | undefined) =>
    changes.push({ path: (now ?? old)?.path ?? "", change: { type, before: old, after: now } });
  // Deletions first: sorting keeps the order of equal paths, and what changed its kind is gone before it comes.
  for (const entry of deleted) {
    if (!moved.has(entry)) list("deleted", entry, undefined);
    if (slices.spend()) await slices.pause();
  }
  for (const entry of added) {
    if (!moved.has(entry)) list("added", undefined, entry);
    if (slices.spend()) await slices.pause();
  }
  for (const change of renames) list("renamed", change.before, change.after);
  for (const [path, old] of left) {
    if (slices.spend()) await slices.pause();
    const now = right.get(path);
    if (now === undefined || now.kind !== old.kind || now.kind === "directory") continue;
    const same = sameBackend ? old.contentId === now.contentId : await equalByBytes(old, now);
    if (!same) list("modified", old, now);
    else if (old.executable !== now.executable) list("mode", old, now);
  }
  return (await sortByPath(changes, slices)).map(({ change }) => change);
}

interface Listed {
  readonly path: string;
  readonly change: TreeChange;
}

async function byPath(
  entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
  slices: TimeSlices,
): Promise<Map<string, TreeEntry>> {
  const found = new Map<string, TreeEntry>();
  if (Symbol.iterator in entries)
    for (const entry of entries) {
      found.set(entry.path, entry);
      // A promise for every node would cost more than the node.
      if (slices.spend()) await slices.pause();
    }
  else for await (const entry of entries) found.set(entry.path, entry);
  return found;
}

async function onlyIn(
  mine: ReadonlyMap<string, TreeEntry>,
  theirs: ReadonlyMap<string, TreeEntry>,
  slices: TimeSlices,
): Promise<TreeEntry[]> {
  const found: TreeEntry[] = [];
  for (const entry of mine.values()) {
    if (theirs.get(entry.path)?.kind !== entry.kind) found.push(entry);
    if (slices.spend()) await slices.pause();
  }
  return found;
}

/** Everything in a directory that only one side has is on that side alone, so the files stand for the directory. */
async function withoutFullDirectories(
  entries: readonly TreeEntry[],
  slices: TimeSlices,
): Promise<TreeEntry[]> {
  const full = new Set<string>();
  for (const { path } of entries) {
    full.add(parentPath(path));
    if (slices.spend()) await slices.pause();
  }
  return entries.filter(({ kind, path }) => kind !== "directory" || !full.has(path));
}

async function equalByBytes(a: TreeEntry, b: TreeEntry): Promise<boolean> {
  return a.sizeBytes === b.sizeBytes && equalBytes(await a.read(), await b.read());
}
