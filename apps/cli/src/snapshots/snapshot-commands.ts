import type { FilesystemSnapshot } from "@wink/filesystem";
import type { Workspace } from "@wink/workspace";
import { confirm } from "../terminal/ask.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { colorsFor, say, sayJson } from "../terminal/print.js";
import { oneLine } from "../terminal/terminal-text.js";
import { count } from "../view/amounts.js";
import { changeLines } from "../view/change-lines.js";
import { decline } from "../workspace/decline.js";
import { printPatch } from "../workspace/print-patch.js";
import { choosePrunable, type PruneChoice } from "./choose-prunable.js";
import { findSnapshot, labelOf } from "./find-snapshot.js";

export interface SnapshotCommandOptions {
  readonly json: boolean;
  readonly yes: boolean;
}

/** The name of the snapshot that saves the state before a restore. */
const BEFORE_RESTORE = "before-restore";

export async function listSnapshots(
  io: Io,
  workspace: Workspace,
  {
    json,
    repository = false,
  }: SnapshotCommandOptions & { readonly repository?: boolean | undefined },
): Promise<void> {
  const snapshots = await (repository ? repositorySnapshots(workspace) : workspace.snapshots());
  if (json)
    return sayJson(io, { directory: workspace.directory, snapshots: snapshots.map(toJson) });
  if (snapshots.length === 0)
    return say(io, `No snapshots in the workspace of ${workspace.directory}.`);
  const colors = colorsFor(io);
  const width = Math.max(...snapshots.map((each) => labelOf(each).length));
  for (const snapshot of snapshots) {
    const { createdAt, tag = "" } = snapshot;
    const time = createdAt.slice(0, 16).replace("T", " ");
    const room = Math.max(20, io.columns - width - time.length - 4);
    say(
      io,
      `${labelOf(snapshot).padEnd(width)}  ${colors.dim(time)}  ${oneLine(tag, room)}`.trimEnd(),
    );
  }
}

async function repositorySnapshots(workspace: Workspace): Promise<readonly FilesystemSnapshot[]> {
  const { withRepositorySnapshots } = await import("@wink/workspace/git");
  const { filesystem, directory } = workspace;
  return await (await withRepositorySnapshots(filesystem, directory)).snapshots();
}

/** Checks every object of the store with git. */
export async function verifySnapshots(
  io: Io,
  { directory, storeDirectory }: Workspace,
  { json }: SnapshotCommandOptions,
): Promise<void> {
  const { verifyStore } = await import("@wink/workspace/git");
  const problems = await verifyStore(storeDirectory);
  if (problems.length > 0) io.exitCode = EXIT_CODES.failed;
  if (json) return sayJson(io, { directory, problems });
  if (problems.length === 0) return say(io, "Every snapshot of the store is complete.");
  for (const problem of problems) say(io, oneLine(problem, io.columns));
}

/** Writes all snapshots into one file. */
export async function exportSnapshots(
  io: Io,
  { directory, storeDirectory }: Workspace,
  { json, bundle }: SnapshotCommandOptions & { readonly bundle: string },
): Promise<void> {
  const { bundleStore } = await import("@wink/workspace/git");
  await bundleStore(storeDirectory, bundle);
  if (json) return sayJson(io, { directory, bundle });
  say(io, `Snapshots written to ${bundle}. Read them with git clone --mirror ${bundle}.`);
}

/** Compares two snapshots, or a snapshot with the current files of the workspace. */
export async function diffSnapshots(
  io: Io,
  workspace: Workspace,
  {
    from,
    to,
    json,
  }: SnapshotCommandOptions & { readonly from: string; readonly to: string | undefined },
): Promise<void> {
  const snapshots = await workspace.snapshots();
  const changes = await workspace.filesystem.diff(
    findSnapshot(snapshots, from),
    to === undefined ? undefined : findSnapshot(snapshots, to),
  );
  const patch = await changes.toPatch();
  if (json) return sayJson(io, { directory: workspace.directory, files: changes.files, patch });
  printPatch(io, patch);
}

/** Restores the workspace. It does not change the directory. */
export async function restoreSnapshot(
  io: Io,
  workspace: Workspace,
  { name, json, yes }: SnapshotCommandOptions & { readonly name: string },
): Promise<void> {
  const { directory } = workspace;
  const target = findSnapshot(await workspace.snapshots(), name);
  const { files } = await workspace.filesystem.diff(target);
  const label = labelOf(target);
  const question = `Restore ${count(files.length, "file")} of the workspace to ${label}?`;
  if (files.length > 0 && !(await confirm(io, { question, yes }))) {
    const outcome = { directory, restored: null, files: [], keptAs: null };
    return decline(io, { json, outcome, sentence: "Nothing was restored." });
  }
  io.status.show("restoring", count(files.length, "file"));
  if (files.length > 0) await workspace.restore(target, { keepAs: BEFORE_RESTORE });
  const kept = files.length > 0 ? BEFORE_RESTORE : null;
  if (json) return sayJson(io, { directory, restored: label, files, keptAs: kept });
  if (files.length === 0) return say(io, `The workspace already equals ${label}.`);
  for (const line of changeLines(files, colorsFor(io))) say(io, `  ${line}`);
  say(io, `Restored to ${label}. The previous state is saved as ${BEFORE_RESTORE}.`);
}

export async function pruneSnapshots(
  io: Io,
  workspace: Workspace,
  { json, yes, ...choice }: SnapshotCommandOptions & PruneChoice,
): Promise<void> {
  const { directory } = workspace;
  const gone = choosePrunable(await workspace.snapshots(), choice, Date.now());
  const what = count(gone.length, "snapshot");
  if (gone.length > 0 && !(await confirm(io, { question: `Delete ${what} permanently?`, yes })))
    return decline(io, {
      ...{ json, outcome: { directory, deleted: [] } },
      sentence: "Nothing was deleted.",
    });
  for (const snapshot of gone) await workspace.filesystem.deleteSnapshot(snapshot);
  if (json) return sayJson(io, { directory, deleted: gone.map(toJson) });
  say(
    io,
    gone.length === 0
      ? "No snapshot matched."
      : `${what} deleted: ${gone.map(labelOf).join(", ")}.`,
  );
}

function toJson({ name, snapshotId, createdAt, tag }: FilesystemSnapshot) {
  return { name: name ?? null, id: snapshotId, createdAt, description: tag ?? "" };
}
