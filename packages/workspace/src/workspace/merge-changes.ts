import {
  type ChangeSet,
  isFilesystemError,
  mergeFile,
  paths,
  type TreeChange,
  type TreeEntry,
} from "@wink/filesystem";
import type { ApplyConflict } from "../error/apply-error.js";
import { WorkspaceError } from "../error/workspace-error.js";
import { fileEntry } from "./incoming-files.js";
import type { WorkspaceParts } from "./workspace-parts.js";
import { writeChanges } from "./write-changes.js";

/** Paths are in byte order. */
export interface WorkspaceMergeReport {
  /** The paths that the workspace took over. */
  readonly updated: readonly string[];
  /** The files of `updated` that now have the changes of both sides. */
  readonly merged: readonly string[];
  /** Nothing was merged if there is one. */
  readonly conflicts: readonly ApplyConflict[];
}

/** Merges changes that were made elsewhere into the workspace: all or none. Call it with the lock. */
export async function mergeChanges(
  parts: WorkspaceParts,
  changes: ChangeSet,
): Promise<WorkspaceMergeReport> {
  // A caller in JavaScript may pass anything.
  if (typeof changes?.entries !== "function")
    throw new WorkspaceError("INVALID_OPTION", {
      subject: "changes",
      reason: "expected a ChangeSet, such as the result of changes().",
    });
  const { touched } = parts;
  const updated: string[] = [];
  const merged: string[] = [];
  const conflicts: ApplyConflict[] = [];
  const written: Pick<TreeChange, "before" | "after">[] = [];
  for (const { path, before, after } of byPath(changes)) {
    if (after?.kind === "directory" || before?.kind === "directory") {
      written.push({ before: after ? undefined : before, after });
      updated.push(path);
      continue;
    }
    const ours = await currentFile(parts, path);
    if (before?.kind === "symlink" || after?.kind === "symlink") {
      // Links are not merged: a new one is taken over, anything else is a conflict.
      if (before === undefined && ours === undefined) {
        written.push({ before, after });
        updated.push(path);
      } else conflicts.push({ path, reason: "link" });
      continue;
    }
    const [base, theirs] = [await versionOf(before), await versionOf(after)];
    const merge =
      ours === "other"
        ? ({ kind: "conflict" } as const)
        : await mergeFile({ base, ours, theirs }, { combine: true });
    if (merge.kind === "keep") continue;
    if (merge.kind === "conflict") {
      conflicts.push({ path, reason: after === undefined ? "missing" : "changed" });
      continue;
    }
    updated.push(path);
    if (merge.kind === "write" && merge.combined) merged.push(path);
    const entry =
      merge.kind === "write" ? fileEntry(path, merge.bytes, merge.executable) : undefined;
    written.push({ before: merge.kind === "delete" ? before : undefined, after: entry });
  }
  if (conflicts.length > 0) return { updated: [], merged: [], conflicts };
  touched.add(updated);
  await writeAtOnce(parts, written);
  return { updated, merged, conflicts };
}

/** Brings the files of changes back to the state before. Call it with the lock. */
export async function revertChanges(parts: WorkspaceParts, changes: ChangeSet): Promise<void> {
  const back = changes.entries().map(({ before, after }) => ({ before: after, after: before }));
  await writeAtOnce(parts, back);
}

/** Puts changes that were made elsewhere in the place of the current files. Call it with the lock. */
export async function putChanges(parts: WorkspaceParts, changes: ChangeSet): Promise<void> {
  parts.touched.add(byPath(changes).map(({ path }) => path));
  await writeAtOnce(parts, changes.entries());
}

async function writeAtOnce(
  { host }: WorkspaceParts,
  changes: readonly Pick<TreeChange, "before" | "after">[],
): Promise<void> {
  const transaction = await host.begin();
  try {
    await writeChanges(host, changes);
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
  await transaction.commit();
}

function byPath(changes: ChangeSet) {
  const found = new Map<TreeEntry["path"], { before?: TreeEntry; after?: TreeEntry }>();
  for (const { before, after } of changes.entries()) {
    if (before !== undefined) found.set(before.path, { ...found.get(before.path), before });
    if (after !== undefined) found.set(after.path, { ...found.get(after.path), after });
  }
  return [...found]
    .map(([path, { before, after }]) => ({ path, before, after }))
    .sort((a, b) => paths.compareBytes(a.path, b.path));
}

async function currentFile({ host }: WorkspaceParts, path: string) {
  const stat = await host.stat(path, { followLinks: false }).catch((error: unknown) => {
    if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR")) return undefined;
    throw error;
  });
  if (stat === undefined) return undefined;
  const { mode } = stat;
  if (stat.kind !== "file") return "other";
  await using reader = await host.openRead(path);
  const chunks: Uint8Array[] = [];
  for await (const chunk of reader) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), executable: (mode & 0o100) !== 0 };
}

async function versionOf(entry: TreeEntry | undefined) {
  return entry && { bytes: await entry.read(), executable: entry.executable };
}
