import type { Stats } from "node:fs";
import type { ChangeSet, TreeChange, VirtualPath } from "@wink/filesystem";
import { newUndoToken } from "../apply/apply-journal.js";
import { findDirectory } from "../apply/find-directory.js";
import type { ApplyOptions, ApplyReport } from "../apply/workspace-changes.js";
import { WorkspaceError } from "../error/workspace-error.js";
import { selectHunks } from "./hunks.js";
import { changedPaths, selectChanges, selectPaths } from "./select-changes.js";
import type { WorkspaceParts } from "./workspace-parts.js";
import {
  type AppliedChanges,
  type AppliedRecord,
  MAX_APPLIED,
  type PendingStep,
} from "./workspace-record.js";

export interface ApplyWorkspaceOptions extends ApplyOptions {
  /** Applies only these files, directories and globs. @default everything */
  readonly paths?: readonly string[] | undefined;
  /** Applies only the hunks with these ids. `diff()` lists them. @default everything */
  readonly hunks?: readonly string[] | undefined;
}

export interface UndoOptions extends Pick<ApplyOptions, "onProgress"> {
  /** Undoes only these files, directories and globs of the apply. @default everything */
  readonly paths?: readonly string[] | undefined;
  /** The apply that must still be the last one. @default whichever is the last */
  readonly undoToken?: string | undefined;
}

/** Writes changes to the user's directory, all or none. Call it with the lock. */
export async function applyWorkspace(
  parts: WorkspaceParts,
  changes: ChangeSet,
  { paths, hunks, ...options }: ApplyWorkspaceOptions,
): Promise<ApplyReport> {
  const { target, index, host } = parts;
  const chosen = (await selectChanges(changes, paths)).entries();
  const selected = hunks === undefined ? chosen : await selectHunks(chosen, hunks);
  const undoToken = newUndoToken();
  let next: PendingStep["next"] | undefined;
  const beforeWriting = async ({ written, deleted, merged }: ApplyReport) => {
    const { base } = parts;
    const { applied } = parts.record;
    const appliedAt = new Date().toISOString();
    const entry: AppliedRecord = { undoToken, appliedAt, base, written, deleted, merged };
    const isEmpty = written.length + deleted.length === 0;
    next = {
      base: await parts.edit(base, selected),
      applied: isEmpty ? applied : [...applied, entry].slice(-MAX_APPLIED),
    };
    parts.save({ pending: { kind: "apply", undoToken, next } });
  };
  let report: ApplyReport;
  try {
    report = await target.apply(selected, {
      ...options,
      directoryAt: findDirectory(host),
      undoToken,
      beforeWriting,
    });
  } catch (error) {
    // Recover now. If that fails too, the next opening recovers.
    await settlePending(parts);
    throw error;
  }
  if (next === undefined) return report;
  parts.save({ ...next, pending: null });
  parts.touched.replace(remaining(changes, selected, hunks !== undefined));
  index.load();
  index.update(statsOf(parts, report), report.deleted);
  for (const path of report.merged) index.doubt(path);
  await parts.releaseBases();
  return report;
}

/** The paths that still differ from the base. */
function remaining(
  changes: ChangeSet,
  selected: readonly TreeChange[],
  isPartial: boolean,
): readonly string[] {
  const all = changedPaths(changes.entries());
  if (isPartial) return all;
  const gone = new Set(changedPaths(selected));
  return all.filter((path) => !gone.has(path));
}

function statsOf(parts: WorkspaceParts, { written, merged }: ApplyReport): Map<string, Stats> {
  const stats = new Map<string, Stats>();
  for (const path of written) {
    const stat = merged.includes(path) ? undefined : parts.hostStat(path as VirtualPath);
    if (stat !== undefined) stats.set(path, stat);
  }
  return stats;
}

/** Undoes the last apply, or a part of it. Call it with the lock. Resolves to the undone changes. */
export async function undoWorkspace(
  parts: WorkspaceParts,
  { paths, undoToken: asked, onProgress }: UndoOptions,
): Promise<AppliedChanges> {
  const { target, touched, index } = parts;
  const { applied } = parts.record;
  const last = applied.at(-1);
  if (last === undefined)
    throw new WorkspaceError("NOTHING_TO_UNDO", {
      subject: "undo",
      reason: "nothing was applied from this workspace.",
    });
  if (asked !== undefined && asked !== last.undoToken)
    throw new WorkspaceError("BUSY", {
      subject: "undo",
      reason: "another apply or undo happened in the meantime. Nothing was undone.",
    });
  if (!(await target.undoable()).includes(last.undoToken))
    throw new WorkspaceError("NOTHING_TO_UNDO", {
      subject: "undo",
      reason: `the undo data of the last apply is gone. It is stored for ${MAX_APPLIED} applies.`,
    });
  const selection = paths && selectPaths(paths);
  const part = partOf(last, (path) => selection?.matches(path) ?? true);
  const unused = paths?.filter((pattern) => !selection?.used.has(pattern)) ?? [];
  if (unused.length > 0)
    throw new WorkspaceError("UNKNOWN_PATH", {
      subject: unused.join(", "),
      reason: "the last apply did not change a file with this path.",
    });
  const rest = partOf(last, (path) => !part.written.includes(path) && !part.deleted.includes(path));
  const isWhole = rest.written.length + rest.deleted.length === 0;
  const undone = [...part.written, ...part.deleted];
  const next = {
    base: await baseBefore(parts, last, undone),
    applied: [...applied.slice(0, -1), ...(isWhole ? [] : [rest])],
  };
  // The workspace still has the changes, so they differ from the new base.
  touched.add(undone);
  const by = newUndoToken();
  const pending: PendingStep = isWhole
    ? { kind: "undo", undoToken: last.undoToken, next }
    : { kind: "apply", undoToken: by, forget: true, next };
  parts.save({ pending });
  try {
    if (isWhole) await target.undo(last.undoToken, { onProgress });
    else {
      const wanted = new Set(undone);
      const isWanted = (path: string) => wanted.has(path);
      await target.undoPaths(last.undoToken, isWanted, by, { onProgress });
    }
  } catch (error) {
    await settlePending(parts);
    throw error;
  }
  parts.save({ ...next, pending: null });
  if (!isWhole) await target.forget(by);
  index.load();
  for (const path of undone) index.doubt(path);
  return part;
}

/** Finishes or drops the step of a killed process or a failed call. Call it with the lock. */
export async function settlePending(parts: WorkspaceParts): Promise<void> {
  const { pending } = parts.record;
  if (pending === null) return;
  const { kind, undoToken, forget = false, next } = pending;
  const canUndo = (await parts.target.undoable()).includes(undoToken);
  parts.save(canUndo === (kind === "apply") ? { ...next, pending: null } : { pending: null });
  if (forget) await parts.target.forget(undoToken);
}

/**
 * Notices applied changes that a person reverted, for example with `git checkout`. They are changes of the workspace
 * again, so that they can be applied again. Call it with the lock.
 */
export async function noticeReverted(parts: WorkspaceParts): Promise<void> {
  const { target, touched, index } = parts;
  index.load();
  for (const entry of parts.record.applied.toReversed()) {
    const mayDiffer = (path: string) => {
      const stat = parts.hostStat(path as VirtualPath);
      return stat === undefined ? !entry.deleted.includes(path) : !index.isUnchanged(path, stat);
    };
    if (![...entry.written, ...entry.deleted].some(mayDiffer)) continue;
    const reverted = await target.revertedPaths(entry.undoToken, mayDiffer);
    if (reverted === undefined || reverted.length === 0) continue;
    touched.add(reverted);
    const rest = partOf(entry, (path) => !reverted.includes(path));
    const isWhole = rest.written.length + rest.deleted.length === 0;
    const base = await baseBefore(parts, entry, reverted);
    const applied = parts.record.applied.flatMap((each) =>
      each.undoToken !== entry.undoToken ? [each] : isWhole ? [] : [rest],
    );
    parts.save({ base, applied });
    if (isWhole) await target.forget(entry.undoToken);
  }
}

function partOf(entry: AppliedRecord, keeps: (path: string) => boolean): AppliedRecord {
  const { written, deleted, merged } = entry;
  return {
    ...entry,
    written: written.filter(keeps),
    deleted: deleted.filter(keeps),
    merged: merged.filter(keeps),
  };
}

/** The base with the versions that some paths had before an apply. */
async function baseBefore(parts: WorkspaceParts, entry: AppliedRecord, paths: readonly string[]) {
  const back = await parts.host.diff(parts.base, entry.base, { paths });
  return await parts.edit(parts.base, back.entries());
}
