import { compareBytes } from "../byte-order.js";
import { equalBytes } from "../file-content.js";
import type { ChangeSet, TreeChange } from "./change-set.js";
import { changedPath, createChangeSet } from "./create-change-set.js";
import { pairRenames } from "./rename-pairs.js";
import type { TreeEntry, TreeView } from "./tree-view.js";

export interface CompareOptions {
  /**
   * Whether both views are of one backend, so that what they share can be passed over and
   * content told by its id. Otherwise files of equal size are read. @default true
   */
  readonly sameBackend?: boolean | undefined;
}

/** What changed from one state to another. Costs what the views say may differ. */
export async function compareTrees(
  before: TreeView,
  after: TreeView,
  options: CompareOptions = {},
): Promise<ChangeSet> {
  return createChangeSet(await treeChanges(before, after, options));
}

/** The same with both sides of each change, by path in byte order. */
export async function treeChanges(
  before: TreeView,
  after: TreeView,
  { sameBackend = true }: CompareOptions = {},
): Promise<readonly TreeChange[]> {
  const unlike = sameBackend ? before.entriesUnlike?.(after) : undefined;
  const left = await byPath(unlike?.mine ?? before.entries());
  const right = await byPath(unlike?.theirs ?? after.entries());
  const contentEqual = sameBackend ? equalById : equalByBytes;

  const deleted = withoutFullDirectories(onlyIn(left, right));
  const added = withoutFullDirectories(onlyIn(right, left));
  const renames = await pairRenames(deleted, added, sameBackend);
  const moved = new Set(renames.flatMap((change) => [change.before, change.after]));
  const changes: TreeChange[] = [...renames];
  for (const entry of deleted)
    if (!moved.has(entry)) changes.push({ type: "deleted", before: entry, after: undefined });
  for (const entry of added)
    if (!moved.has(entry)) changes.push({ type: "added", before: undefined, after: entry });
  for (const [path, old] of left) {
    const now = right.get(path);
    if (now === undefined || now.kind !== old.kind || now.kind === "directory") continue;
    const same = await contentEqual(old, now);
    if (!same) changes.push({ type: "modified", before: old, after: now });
    else if (old.executable !== now.executable)
      changes.push({ type: "mode", before: old, after: now });
  }
  return changes.sort(inOrder);
}

async function byPath(
  entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
): Promise<Map<string, TreeEntry>> {
  const found = new Map<string, TreeEntry>();
  // A promise for every node would cost more than the node.
  if (Symbol.iterator in entries) for (const entry of entries) found.set(entry.path, entry);
  else for await (const entry of entries) found.set(entry.path, entry);
  return found;
}

function onlyIn(mine: Map<string, TreeEntry>, theirs: Map<string, TreeEntry>): TreeEntry[] {
  return [...mine.values()].filter((entry) => theirs.get(entry.path)?.kind !== entry.kind);
}

/** All that is in a directory of one side alone is of that side alone, so that its files tell of it. */
function withoutFullDirectories(entries: readonly TreeEntry[]): TreeEntry[] {
  const full = new Set(
    entries.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf("/")))),
  );
  return entries.filter(({ kind, path }) => kind !== "directory" || !full.has(path));
}

function equalById(a: TreeEntry, b: TreeEntry): boolean {
  return a.contentId === b.contentId;
}

async function equalByBytes(a: TreeEntry, b: TreeEntry): Promise<boolean> {
  return a.sizeBytes === b.sizeBytes && equalBytes(await a.read(), await b.read());
}

/** By path; of a path that changed its kind, what is gone first. */
function inOrder(a: TreeChange, b: TreeChange): number {
  const order = compareBytes(changedPath(a), changedPath(b));
  return order !== 0 ? order : Number(a.type !== "deleted") - Number(b.type !== "deleted");
}
