import type { FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import type { StateStore } from "./state-store.js";

/** Gives a filesystem exactly the files of a stored state. Resolves to a snapshot of them. */
export async function restoreState(
  filesystem: SnapshotableFilesystem,
  store: StateStore,
  state: string,
): Promise<FilesystemSnapshot> {
  const tag = "files of a run";
  const snapshot = await filesystem.importSnapshot(
    { entries: () => store.entries(state) },
    { tag },
  );
  await filesystem.restore(snapshot);
  return snapshot;
}
