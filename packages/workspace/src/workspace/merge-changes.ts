import {
  type ChangeSet,
  type Filesystem,
  isFilesystemError,
  paths,
  type TreeChange,
  type TreeEntry,
  type VirtualPath,
} from "@wink/filesystem";
import type { ApplyConflict } from "../error/apply-error.js";
import { WorkspaceError } from "../error/workspace-error.js";
import { planMerge, splitMoves } from "./plan-merge.js";
import type { WorkspaceParts } from "./workspace-parts.js";
import { writeChanges } from "./write-changes.js";

/** Paths are in byte order. */
export interface WorkspaceMergeReport {
  /** The paths that the workspace took over. */
  readonly updated: readonly string[];
  /** The files of `updated` that now have the changes of both sides. */
  readonly merged: readonly string[];
  /** If there is a conflict, nothing was merged. */
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
  const plan = await planMerge(parts.host, splitMoves(changes), ({ path }) =>
    entryAt(parts.host, path),
  );
  const { merged, conflicts } = plan;
  if (conflicts.length > 0) return { updated: [], merged: [], conflicts };
  const updated = [...plan.updated, ...merged].sort(paths.compareBytes);
  parts.touched.add(updated);
  await writeAtOnce(parts, plan.written);
  return { updated, merged, conflicts };
}

/** Brings the files of changes back to the state before. Call it with the lock. */
export async function revertChanges(parts: WorkspaceParts, changes: ChangeSet): Promise<void> {
  const back = changes.entries().map(({ before, after }) => ({ before: after, after: before }));
  await writeAtOnce(parts, back);
}

/** Puts changes that were made elsewhere in the place of the current files. Call it with the lock. */
export async function putChanges(parts: WorkspaceParts, changes: ChangeSet): Promise<void> {
  parts.touched.add(splitMoves(changes).map(({ path }) => path));
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

/** A file or link as it is now, or `undefined` if there is none. Its content is read when it is needed. */
async function entryAt(host: Filesystem, path: VirtualPath): Promise<TreeEntry | undefined> {
  try {
    const { kind, mode, sizeBytes } = await host.stat(path, { followLinks: false });
    if (kind === "directory") return undefined;
    const executable = kind === "file" && (mode & 0o100) !== 0;
    const about = { path, executable, mode, contentId: "" };
    // A special file becomes a link of an impossible size, so that it is equal to nothing.
    if (kind === "special")
      return { ...about, kind: "symlink", sizeBytes: -1, read: () => new Uint8Array() };
    const parts = async function* () {
      if (kind === "symlink") yield paths.pathBytes(await host.readlink(path));
      else yield* await host.openRead(path);
    };
    const read = async () => {
      const read: Uint8Array[] = [];
      for await (const part of parts()) read.push(part);
      return Buffer.concat(read);
    };
    return { ...about, kind, sizeBytes, read, parts };
  } catch (error) {
    if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}
