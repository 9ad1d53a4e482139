import type { FilesystemDriver } from "../driver/driver.js";
import type { EditedSnapshot } from "../driver/driver-snapshots.js";
import { compareTrees } from "../patch/compare-trees.js";
import { isWithin, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions } from "../protocol/filesystem.js";
import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";
import type { ChangeSet } from "../snapshots/change-set.js";
import type {
  DiffOptions,
  FilesystemSnapshot,
  SnapshotableFilesystem,
  SnapshotEdit,
  SnapshotOptions,
} from "../snapshots/filesystem-snapshot.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";
import { requireSnapshotName } from "../snapshots/snapshot-name.js";
import { readTar, writeTar } from "../tar/tar.js";
import type { Calls } from "./calls.js";
import { knownStateError } from "./known-error.js";
import { currentEntries, partOf, topPaths } from "./part-of-tree.js";
import { failure, type Target, type Workspace } from "./workspace.js";

export function createSnapshot(
  { snapshots }: Workspace,
  _: Target,
  options: SnapshotOptions,
): MaybePromise<FilesystemSnapshot> {
  if (options.name !== undefined) requireSnapshotName(options.name);
  const made = snapshots.create(options);
  return isPromise(made) ? made.then(frozen) : frozen(made);
}

export function restoreSnapshot(
  { snapshots, readOnly, usage }: Workspace,
  target: Target,
  snapshot: FilesystemSnapshot,
): MaybePromise<void> {
  if (readOnly) throw failure(target, "EROFS");
  requireSnapshot(snapshot);
  let restoring: MaybePromise<void>;
  try {
    restoring = snapshots.restore(snapshot);
  } finally {
    // Any file may have been replaced.
    usage.forget();
  }
  return isPromise(restoring) ? restoring.finally(() => usage.forget()) : restoring;
}

export async function diffSnapshots(
  workspace: Workspace,
  from: FilesystemSnapshot,
  to: FilesystemSnapshot | undefined,
  options: DiffOptions,
): Promise<ChangeSet> {
  const { snapshots } = workspace;
  const { signal } = options;
  requireSnapshot(from);
  if (to !== undefined) requireSnapshot(to);
  const before = await snapshots.view(from);
  if (options.paths === undefined)
    return await compareTrees(before, await snapshots.view(to, { signal }));
  const places = topPaths(workspace, "diff", options.paths);
  const after =
    to === undefined
      ? await currentEntries(workspace.driver, places, options)
      : partOf(await snapshots.view(to, { signal }), places);
  // A link or a special file: only the backend's own scan knows how to capture it.
  if (after === undefined) {
    const isWithinPlaces = (path: string) =>
      places.some((each) => isWithin(path as VirtualPath, each));
    return (await compareTrees(before, await snapshots.view(to, { signal }))).filter(
      isWithinPlaces,
    );
  }
  // The current nodes have no content ids.
  return await compareTrees(partOf(before, places), after, { sameBackend: to !== undefined });
}

export async function listSnapshots({
  snapshots,
}: Workspace): Promise<readonly FilesystemSnapshot[]> {
  return Object.freeze((await snapshots.list()).map(frozen));
}

export function deleteSnapshot(
  { snapshots }: Workspace,
  snapshot: FilesystemSnapshot,
): MaybePromise<void> {
  requireSnapshot(snapshot);
  return snapshots.delete([snapshot]);
}

export async function* exportSnapshot(
  calls: Calls,
  snapshot: FilesystemSnapshot,
  options: CallOptions,
): AsyncGenerator<Uint8Array, void, void> {
  const view = await calls.change("exportSnapshot", ".", options, async ({ snapshots }) => {
    requireSnapshot(snapshot);
    return await snapshots.view(snapshot);
  });
  try {
    for await (const chunk of writeTar(view.entries())) {
      options.signal?.throwIfAborted();
      yield chunk;
    }
  } catch (error) {
    throw knownStateError(error, "exportSnapshot", options.signal);
  }
}

type Archive = Parameters<SnapshotableFilesystem["importSnapshot"]>[0];

export async function importSnapshot(
  workspace: Workspace,
  archive: Archive,
  options: SnapshotOptions,
): Promise<FilesystemSnapshot> {
  if (options.name !== undefined) requireSnapshotName(options.name);
  const edited = editedBy(workspace, archive);
  return frozen(await workspace.snapshots.add(entriesOf(archive), options, edited));
}

function editedBy(workspace: Workspace, archive: Archive): EditedSnapshot | undefined {
  if (typeof archive !== "object" || archive === null || !("onto" in archive)) return undefined;
  const { onto, removed = [] } = archive as SnapshotEdit;
  if (onto === undefined) return undefined;
  requireSnapshot(onto);
  return { onto, removed: topPaths(workspace, "importSnapshot", removed) };
}

function entriesOf(archive: Archive) {
  const isObject = typeof archive === "object" && archive !== null;
  // An untyped caller may pass anything. `readTar` refuses it.
  if (!isObject || Symbol.iterator in archive || Symbol.asyncIterator in archive)
    return readTar(archive as Iterable<Uint8Array>);
  return typeof archive.entries === "function" ? archive.entries() : readTar([]);
}

export async function forkDriver(
  { snapshots }: Workspace,
  _: Target,
  options: CallOptions,
): Promise<FilesystemDriver> {
  return await snapshots.fork(options);
}

/** Freezes a snapshot deeply before a caller receives it. */
function frozen(snapshot: FilesystemSnapshot): FilesystemSnapshot {
  snapshot.leftOut?.forEach(Object.freeze);
  Object.freeze(snapshot.leftOut);
  return Object.freeze(snapshot);
}

/** A snapshot from a session may be any data, so check that its ids are strings. */
function requireSnapshot(snapshot: FilesystemSnapshot): void {
  const { snapshotId, commitRef } = snapshot ?? {};
  if (typeof snapshotId !== "string" || typeof commitRef !== "string")
    throw new SnapshotError("UNKNOWN_SNAPSHOT");
}
