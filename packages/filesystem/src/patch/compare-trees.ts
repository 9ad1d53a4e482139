import { equalBytes } from "../content/file-content.js";
import { TimeSlices } from "../content/time-slices.js";
import { parentPath } from "../path/virtual-path.js";
import { sortByPath } from "../search/walk/sort-by-path.js";
import type { ChangeSet, TreeChange } from "../snapshots/change-set.js";
import { modeOf, type TreeEntry, type TreeView } from "../snapshots/tree-view.js";
import { createChangeSet } from "./create-change-set.js";
import { pairRenames } from "./rename-pairs.js";

export interface CompareOptions {
  /**
   * Whether both views come from one backend. Then shared parts are skipped and contents are compared by id. Otherwise
   * files of equal size are read. @default true
   */
  readonly sameBackend?: boolean | undefined;
}

/** Returns the changes between two states. Reads only what may differ, and pauses during long work. */
export async function compareTrees(
  before: TreeView,
  after: TreeView,
  options: CompareOptions = {},
): Promise<ChangeSet> {
  return await createChangeSet(await treeChanges(before, after, options));
}

/** Like `compareTrees`, but with both sides of each change. Sorted by path, in byte order. */
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
  // Deletions first: the sort is stable, so after a change of kind the deletion stays before the addition.
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
    else if (now.kind === "file" && modeOf(old) !== modeOf(now)) list("mode", old, now);
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
      // A promise per node would cost more than the node.
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

/** Omits a directory that has files in the list, because the files imply it. */
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
  if (a.sizeBytes !== b.sizeBytes) return false;
  if (a.sizeBytes > MAX_WHOLE_BYTES && a.parts !== undefined && b.parts !== undefined)
    return await equalParts(a.parts(), b.parts());
  return equalBytes(await a.read(), await b.read());
}

/** Larger contents are compared in parts. */
const MAX_WHOLE_BYTES = 32 * 1024 * 1024;

type Parts = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Compares contents whose parts may have different sizes. */
async function equalParts(one: Parts, other: Parts): Promise<boolean> {
  const others = inOrder(other);
  let rest: Uint8Array = new Uint8Array();
  try {
    for await (let part of one)
      while (part.length > 0) {
        if (rest.length === 0) rest = (await others.next()).value ?? rest;
        const count = Math.min(part.length, rest.length);
        if (count === 0 || !equalBytes(part.subarray(0, count), rest.subarray(0, count)))
          return false;
        part = part.subarray(count);
        rest = rest.subarray(count);
      }
    return rest.length === 0 && (await others.next()).done === true;
  } finally {
    await others.return(undefined);
  }
}

async function* inOrder(parts: Parts): AsyncGenerator<Uint8Array, undefined, void> {
  yield* parts;
  return undefined;
}
