import { randomUUID } from "node:crypto";
import { compareTrees } from "../patch/compare-trees.js";
import { joinPath, ROOT, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions, Filesystem } from "../protocol/filesystem.js";
import type { ChangeSet } from "../snapshots/change-set.js";
import type { FilesystemSnapshot } from "../snapshots/filesystem-snapshot.js";
import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import { isSnapshotable } from "../wrap/wrap-filesystem.js";

/** A stored state of the workspace: a snapshot if the filesystem has snapshots, otherwise a copy. */
export type WorkspaceState =
  | { readonly kind: "snapshot"; readonly snapshot: FilesystemSnapshot }
  | { readonly kind: "copy"; readonly view: TreeView };

export async function captureState(
  filesystem: Filesystem,
  options: CallOptions,
): Promise<WorkspaceState> {
  if (isSnapshotable(filesystem)) {
    // By default `prune` does not delete a named snapshot.
    const label = { name: `host-state-${randomUUID()}`, tag: "what the host has" };
    return { kind: "snapshot", snapshot: await filesystem.snapshot({ ...options, ...label }) };
  }
  return { kind: "copy", view: await copyOf(filesystem, options) };
}

/** What changed from one state to another of the same filesystem, or to the files as they are now. */
export async function compareStates(
  filesystem: Filesystem,
  from: WorkspaceState,
  to: WorkspaceState | undefined,
  options: CallOptions,
): Promise<ChangeSet> {
  if (from.kind === "snapshot" && to?.kind !== "copy" && isSnapshotable(filesystem))
    return await filesystem.diff(from.snapshot, to?.snapshot, options);
  if (from.kind === "copy" && to?.kind !== "snapshot") {
    const view = to?.view ?? (await copyOf(filesystem, options));
    return await compareTrees(from.view, view, { sameBackend: false });
  }
  throw new TypeError("The states belong to different filesystems.");
}

/** Deletes the snapshot of a state. */
export async function releaseState(filesystem: Filesystem, state: WorkspaceState): Promise<void> {
  if (state.kind === "snapshot" && isSnapshotable(filesystem))
    await filesystem.deleteSnapshot(state.snapshot);
}

/** For a filesystem without snapshots: copies every file into memory. */
async function copyOf(filesystem: Filesystem, options: CallOptions): Promise<TreeView> {
  const entries: TreeEntry[] = [];
  const visit = async (directory: VirtualPath): Promise<void> => {
    for (const { name, kind } of await filesystem.list(
      directory === "" ? "." : directory,
      options,
    )) {
      const path = joinPath(directory, name);
      if (kind === "directory") {
        entries.push(entryOf(path, "directory", new Uint8Array(), false));
        await visit(path);
      } else if (kind === "file") {
        const { mode } = await filesystem.stat(path, options);
        entries.push(
          entryOf(path, "file", await readAll(filesystem, path, options), (mode & 0o100) !== 0),
        );
      }
    }
  };
  await visit(ROOT);
  return { entries: () => entries };
}

async function readAll(
  filesystem: Filesystem,
  path: string,
  options: CallOptions,
): Promise<Uint8Array> {
  await using reader = await filesystem.openRead(path, options);
  const bytes = new Uint8Array(reader.sizeBytes);
  let offset = 0;
  for await (const chunk of reader) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function entryOf(
  path: VirtualPath,
  kind: "file" | "directory",
  bytes: Uint8Array,
  executable: boolean,
): TreeEntry {
  return { path, kind, executable, sizeBytes: bytes.length, contentId: "", read: () => bytes };
}
