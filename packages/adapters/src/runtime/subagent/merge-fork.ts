import { type Filesystem, isSnapshotable } from "@wink/filesystem";
import { readState, writeState } from "./file-state.js";
import { ancestorsOf, type ForkChanges } from "./fork-changes.js";
import type { MergeConflict, MergeReport } from "./merge-conflict.js";
import { type MergePlan, type PlannedConflict, planMerge } from "./plan-merge.js";

/** Merges the changes of a fork into the workspace: all of them or none. */
export async function mergeFork(
  changes: ForkChanges,
  workspace: Filesystem,
  onConflict: "refuse" | "keep-both",
): Promise<MergeReport> {
  const plan = await planMerge(changes, workspace);
  if (plan.conflicts.length > 0 && onConflict === "refuse")
    return reportOf(false, [], [], [], plan.conflicts.map(withoutPlan));
  return await inTransaction(workspace, async () => {
    await clearAway(plan, changes.removed, workspace);
    for (const path of plan.directories) await workspace.mkdir(path);
    for (const [path, file] of plan.writes) await writeState(workspace, path, file);
    const conflicts: MergeConflict[] = [];
    for (const conflict of plan.conflicts) conflicts.push(await writeCopy(conflict, workspace));
    const copies = conflicts.flatMap(({ keptAt }) => keptAt ?? []);
    const written = [...plan.writes.keys(), ...plan.directories, ...copies];
    return reportOf(true, written, [...plan.deletes], plan.combined, conflicts);
  });
}

/** Deletes files first, then the directories that are empty. */
async function clearAway(
  { deletes }: MergePlan,
  removed: readonly string[],
  workspace: Filesystem,
): Promise<void> {
  for (const path of deletes) await workspace.delete(path);
  for (const path of removed) {
    if ((await readState(workspace, path)).kind !== "directory") continue;
    // Keep a directory that got new files in the meantime.
    if ((await workspace.list(path, { limit: 1 })).length > 0) continue;
    await workspace.delete(path, { recursive: true });
  }
}

async function writeCopy(
  { file, ...conflict }: PlannedConflict,
  workspace: Filesystem,
): Promise<MergeConflict> {
  if (file === undefined) return conflict;
  const keptAt = await findFreePath(conflict.path, workspace);
  await writeState(workspace, keptAt, file);
  return { ...conflict, keptAt };
}

/**
 * Finds a free path for a file whose own path is blocked, by adding a suffix to the blocking
 * name.
 */
async function findFreePath(path: string, workspace: Filesystem): Promise<string> {
  let blocked = path;
  for (const above of ancestorsOf(path).reverse()) {
    const { kind } = await readState(workspace, above);
    if (kind === "file" || kind === "other") blocked = above;
  }
  for (let count = 1; ; count++) {
    const free = `${blocked}.subagent${count === 1 ? "" : `-${count}`}`;
    const candidate = `${free}${path.slice(blocked.length)}`;
    const above = await readState(workspace, free);
    if (above.kind === "absent") return candidate;
    if (above.kind !== "directory" || candidate === free) continue;
    if ((await readState(workspace, candidate)).kind === "absent") return candidate;
  }
}

async function inTransaction(
  workspace: Filesystem,
  work: () => Promise<MergeReport>,
): Promise<MergeReport> {
  if (!isSnapshotable(workspace)) return await work();
  const transaction = await workspace.begin();
  try {
    const report = await work();
    await transaction.commit();
    return report;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

function withoutPlan({ file: _, ...conflict }: PlannedConflict): MergeConflict {
  return conflict;
}

function reportOf(
  merged: boolean,
  written: readonly string[],
  deleted: readonly string[],
  combined: readonly string[],
  conflicts: readonly MergeConflict[],
): MergeReport {
  const [sortedWritten, sortedDeleted, sortedCombined] = [written, deleted, combined].map((paths) =>
    [...paths].sort(),
  );
  return Object.freeze({
    merged,
    written: sortedWritten ?? [],
    deleted: sortedDeleted ?? [],
    combined: sortedCombined ?? [],
    conflicts: [...conflicts].sort((a, b) => (a.path < b.path ? -1 : 1)),
  });
}
