import type { FileChange, FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import { defineTool, fail, ok, type ToolContext, type ToolFailure } from "@wink/prompt";
import type { SessionSnapshot } from "@wink/session";
import { isSessionError } from "@wink/session";
import { z } from "zod";
import { RestoreSnapshot } from "../events/snapshot-events.js";
import { authorOf } from "../files/file-tool-settings.js";
import { oneLine, quote } from "../reply/quote.js";
import { toolHandler } from "../reply/tool-handler.js";
import { findSnapshot, isFailure, type NamedSnapshot, snapshotsOf } from "./named-snapshots.js";
import type { SnapshotToolSettings } from "./snapshot-settings.js";

export const SnapshotRestoreInput = z.object({
  name: z.string(),
  restore_session: z
    .boolean()
    .default(false)
    .describe("Also restore the plan and other session state of the snapshot."),
});

export interface RestoreValue {
  readonly name: string;
  /** Paths of the files that the restore changed, sorted. */
  readonly changed: readonly string[];
}

export function snapshotRestoreHandlerFor(settings: SnapshotToolSettings) {
  return toolHandler({
    input: SnapshotRestoreInput,
    nameTool: settings.nameTool,
    async run({ name, restore_session }, context) {
      const { signal } = context;
      const filesystem = snapshotsOf(context);
      if (isFailure(filesystem)) return filesystem;
      const snapshot = await findSnapshot(filesystem, name, signal);
      if (isFailure(snapshot)) return snapshot;
      const session = settings.sessions.get(snapshot.snapshotId);
      if (restore_session && session === undefined)
        return fail(`The session state of snapshot ${quote(name)} was not saved.`, {
          hint: "Restore only the files, without restore_session.",
        });
      const { files } = await filesystem.diff(snapshot, undefined, { signal });
      if (restore_session && session !== undefined) {
        const problem = await restoreBoth(filesystem, snapshot, session, context);
        if (problem) return problem;
      } else {
        await filesystem.restore(snapshot, { signal });
        announce(snapshot, files, settings, context);
      }
      return ok<RestoreValue>({ name, changed: pathsOf(files) }, describe(name, pathsOf(files)));
    },
  });
}

export function snapshotRestoreTool(settings: SnapshotToolSettings) {
  return defineTool({
    name: "snapshot_restore",
    description: "Restore all files from a snapshot. Later changes are lost.",
    input: SnapshotRestoreInput,
    // A restore changes files without single write calls, so undoing it needs a scan of all files.
    access: "opaque",
    handler: snapshotRestoreHandlerFor(settings),
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
function announce(
  { snapshotId, name }: NamedSnapshot,
  files: readonly FileChange[],
  { workspace }: SnapshotToolSettings,
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
