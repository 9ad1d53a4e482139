import { isGitName } from "../operations/write-rules.js";
import { changedPath, createChangeSet, treeChangesOf } from "../patch/create-change-set.js";
import { compareBytes } from "../path/byte-order.js";
import type { ChangeSet, TreeChange } from "../snapshots/change-set.js";
import type { TreeEntry } from "../snapshots/tree-view.js";

/** Whether git on any platform would read a segment of the path as `.git`. */
export function isInRepository(path: string): boolean {
  return path.split("/").some(isGitName);
}

/**
 * Removes the changes inside a `.git`, which are never applied and which `git apply` rejects. They exist when a program
 * such as a shell created a repository in the workspace.
 */
export async function withoutRepositories(set: ChangeSet): Promise<ChangeSet> {
  const changes = treeChangesOf(set);
  if (changes === undefined || !set.files.some(isAboutRepository)) return set;
  const left = changes.map(outside).filter((change) => change !== undefined);
  return await createChangeSet(left.sort((a, b) => compareBytes(changedPath(a), changedPath(b))));
}

function isAboutRepository({ path, oldPath = "" }: ChangeSet["files"][number]): boolean {
  return isInRepository(path) || isInRepository(oldPath);
}

/** A move out of a repository becomes an addition, a move into one a deletion. */
function outside(change: TreeChange): TreeChange | undefined {
  const [before, after] = [change.before, change.after].map(unlessInRepository);
  if (before === change.before && after === change.after) return change;
  if (after !== undefined) return { type: "added", before: undefined, after };
  return before && { type: "deleted", before, after: undefined };
}

function unlessInRepository(entry: TreeEntry | undefined): TreeEntry | undefined {
  return entry !== undefined && isInRepository(entry.path) ? undefined : entry;
}
