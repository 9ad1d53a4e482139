import {
  type Filesystem,
  paths,
  type TreeChange,
  type TreeEntry,
  type VirtualPath,
} from "@wink/filesystem";
import type { ApplyConflict } from "../error/apply-error.js";
import { CurrentTree } from "./current-tree.js";
import { mergeEntry } from "./merge-entry.js";

/** What happened to one path elsewhere. */
export interface PathChange {
  readonly path: VirtualPath;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

export interface MergePlan {
  /** The changes without a conflict. */
  readonly accepted: readonly TreeChange[];
  /** The changes to write to the workspace. */
  readonly written: readonly TreeChange[];
  /** The paths of `written`, and those of them that have the changes of both sides. */
  readonly updated: readonly string[];
  readonly merged: readonly string[];
  readonly conflicts: readonly ApplyConflict[];
}

/** The changes by path, in byte order. A move is a removal and an addition. */
export function splitMoves(set: { entries(): readonly TreeChange[] }): PathChange[] {
  const byPath = new Map<VirtualPath, { before?: TreeEntry; after?: TreeEntry }>();
  for (const { before, after } of set.entries()) {
    if (before !== undefined) byPath.set(before.path, { ...byPath.get(before.path), before });
    if (after !== undefined) byPath.set(after.path, { ...byPath.get(after.path), after });
  }
  return [...byPath]
    .map(([path, { before, after }]) => ({ path, before, after }))
    .sort((a, b) => paths.compareBytes(a.path, b.path));
}

/**
 * Plans how the workspace takes over changes that were made elsewhere. If such a change would remove a file of an agent
 * together with its directory, or replace it by a directory, that is a conflict.
 *
 * @param oursOf returns the node of the workspace; a directory does not matter
 */
export async function planMerge(
  files: Filesystem,
  changes: readonly PathChange[],
  oursOf: (change: PathChange) => TreeEntry | undefined | Promise<TreeEntry | undefined>,
): Promise<MergePlan> {
  const accepted: TreeChange[] = [];
  const written: TreeChange[] = [];
  const updated: string[] = [];
  const merged: string[] = [];
  const conflicts: ApplyConflict[] = [];
  const removed = new Set<string>();
  const tree = new CurrentTree(files, removed);
  // Removals first, because they make room. Of those, the contents of a directory come before it.
  const [removals, arrivals] = [
    changes.filter(({ after }) => after === undefined).reverse(),
    changes.filter(({ after }) => after !== undefined),
  ];
  for (const change of [...removals, ...arrivals]) {
    const { path, before, after } = change;
    const accept = () => void accepted.push({ type: "modified", before, after });
    if (after === undefined && before?.kind === "directory") {
      accept();
      // An agent may have put something into it.
      if (await tree.hasOthersIn(path)) continue;
      removed.add(path);
      updated.push(path);
      written.push({ type: "modified", before, after });
      continue;
    }
    if (after !== undefined && (await tree.isBlocked(change))) {
      conflicts.push({ path, reason: "blocked" });
      continue;
    }
    const ours = unlessDirectory(await oursOf(change));
    const merge = await mergeEntry({ before: unlessDirectory(before), after, ours });
    if (merge.kind === "conflict") {
      conflicts.push({ path, reason: merge.reason });
      continue;
    }
    accept();
    if (merge.kind === "keep") continue;
    if (merge.entry === undefined) removed.add(path);
    written.push({ type: "modified", before, after: merge.entry });
    (merge.isCombined ? merged : updated).push(path);
  }
  const inOrder = (found: string[]) => found.sort(paths.compareBytes);
  return {
    accepted,
    written,
    updated: inOrder(updated),
    merged: inOrder(merged),
    conflicts: conflicts.sort((a, b) => paths.compareBytes(a.path, b.path)),
  };
}

function unlessDirectory(entry: TreeEntry | undefined): TreeEntry | undefined {
  return entry?.kind === "directory" ? undefined : entry;
}
