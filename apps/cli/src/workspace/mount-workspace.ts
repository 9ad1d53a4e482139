import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type HostFilesystem, type MountProgress, mountHost } from "@wink/filesystem/host";
import type { Session } from "@wink/session";
import { hostPrint } from "./host-print.js";
import type { WorkspacePlace } from "./workspace-place.js";
import { FinishMount, StartMount } from "./workspace-record.js";

/** What a copied state is called in the store. It has no name, so that no model is shown it and no limit takes it away. */
export const BASE_TAG = "what the directory has";

export interface MountWorkspaceOptions {
  readonly filesystem: HostFilesystem;
  readonly record: Session;
  readonly onProgress?: ((progress: MountProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the workspace a copy of the directory as it is now. Whatever was in it is removed first; snapshots stay.
 * Killed or aborted in the middle, it is made again at the next opening.
 */
export async function mountWorkspace(
  place: WorkspacePlace,
  { filesystem, record, onProgress, signal }: MountWorkspaceOptions,
): Promise<void> {
  record.dispatch(StartMount({ directory: place.directory }));
  for (const name of await readdir(place.files))
    await rm(join(place.files, name), { recursive: true, force: true });
  const copiedAtMs = Date.now();
  const { report } = await mountHost(filesystem, [{ hostPath: ".", gitignore: true }], {
    allowedHostRoots: [place.directory],
    stateDirectory: place.applied,
    trackChanges: false,
    onProgress,
    signal,
  });
  const base = await filesystem.snapshot({ tag: BASE_TAG, signal });
  record.dispatch(
    FinishMount({
      base,
      hostPrint: hostPrint({ ...place, copiedAtMs }),
      mounted: {
        fileCount: report.fileCount,
        totalBytes: report.totalBytes,
        leftOut: report.leftOut.map(({ path, reason, isDirectory }) => ({
          path,
          reason,
          isDirectory,
        })),
      },
    }),
  );
}
