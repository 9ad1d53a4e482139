import type { FileChange, FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import { defineTool, fail, ok, type ToolContext, type ToolFailure } from "@wink/prompt";
import { isSessionError, type SessionSnapshot } from "@wink/session";
import { z } from "zod";
import { RestoreSnapshot } from "../events/snapshot-events.js";
import { authorOf, workspaceOf } from "../files/file-tool-settings.js";
import { oneLine, quote } from "../reply/quote.js";
import { findSnapshot, type NamedSnapshot } from "./named-snapshots.js";
import { type SnapshotToolSettings, withSnapshots } from "./snapshot-settings.js";

export function snapshotRestoreTool(settings: SnapshotToolSettings) {
  return defineTool({
    name: "snapshot_restore",
    description: "Restore all files from a snapshot. Later changes are lost.",
    input: z.object({
      name: z.string(),
      restore_session: z
        .boolean()
        .default(false)
        .describe("Also restore the plan and other session state of the snapshot."),
    }),
    // The call's handle begins a full transaction before the restore. A call that restores nothing scans nothing.
    access: "write",
    effects: "workspace",
    handler: withSnapshots(settings, async ({ name, restore_session }, filesystem, context) => {
      const { signal } = context;
      const snapshot = await findSnapshot(filesystem, name, signal);
      if ("success" in snapshot) return snapshot;
      const session = restore_session ? settings.sessions?.get(snapshot.snapshotId) : undefined;
      if (restore_session && session === undefined)
        return fail(`The session state of snapshot ${quote(name)} was not saved.`, {
          hint: "Restore only the files, without restore_session.",
        });
      const { files } = await filesystem.diff(snapshot, undefined, { signal });
      if (session === undefined) {
        await filesystem.restore(snapshot, { signal });
        recordRestore(snapshot, files, settings, context);
      } else {
        const problem = await restoreBoth(filesystem, snapshot, session, context);
        if (problem) return problem;
      }
      const changed = pathsOf(files);
      return ok({ name, changed }, describe(name, changed));
    }),
    render: () => "",
  });
}

/** Restores both files and session, or neither. */
async function restoreBoth(
  filesystem: SnapshotableFilesystem,
  snapshot: FilesystemSnapshot,
  session: SessionSnapshot,
  context: ToolContext,
): Promise<ToolFailure | undefined> {
  const before = await filesystem.snapshot();
  try {
    await filesystem.restore(snapshot);
    context.session.restore(session, { reason: `snapshot ${snapshot.name} was restored` });
    return undefined;
  } catch (error) {
    await filesystem.restore(before);
    if (!isSessionError(error)) throw error;
    return fail("The session cannot be restored now, so nothing was restored.", {
      hint: "Other work is using the session. Try again, or restore only the files.",
    });
  } finally {
    await filesystem.deleteSnapshot(before);
  }
}

/** Records the restored files in the session, which itself is not restored. */
function recordRestore(
  { snapshotId, name }: NamedSnapshot,
  files: readonly FileChange[],
  { nameTool }: SnapshotToolSettings,
  context: ToolContext,
): void {
  // The diff goes from the snapshot to the current state. The restore is the reverse.
  const removed = files
    .filter(({ type }) => type === "added" || type === "renamed")
    .map(({ path }) => path);
  const changed = files
    .filter(({ type }) => type !== "added")
    .map(({ path, oldPath, sizeBytesBefore }) => ({
      path: oldPath ?? path,
      sizeBytes: sizeBytesBefore ?? 0,
    }));
  const workspace = workspaceOf(nameTool("snapshot_restore"), context);
  const author = authorOf(workspace, "snapshot_restore", context);
  context.session.dispatch(RestoreSnapshot({ ...author, snapshotId, name, changed, removed }));
}

function pathsOf(files: readonly FileChange[]): readonly string[] {
  const paths = files.flatMap(({ path, oldPath }) =>
    oldPath === undefined ? [path] : [oldPath, path],
  );
  return [...new Set(paths)].sort();
}

const MAX_PATHS_SHOWN = 100;
const MAX_PATH_CHARACTERS = 300;

function describe(name: string, paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_PATHS_SHOWN).map((path) => oneLine(path, MAX_PATH_CHARACTERS));
  const more = paths.length - shown.length;
  return [
    `restored snapshot ${name} (${paths.length} file(s) changed)${paths.length > 0 ? ":" : ""}`,
    ...shown,
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n");
}
