import type { SnapshotableFilesystem } from "@wink/filesystem";
import { HostFilesystem, removeHostTree } from "@wink/filesystem/host";
import type { Session } from "@wink/session";
import { type MountReport, mountHost } from "@wink/workspace";
import type { StatusLine } from "../terminal/status-line.js";
import { count } from "../view/amounts.js";
import { showCopying } from "../view/show-copying.js";
import { hostPrint } from "./host-print.js";
import { emptyDirectory, syncDirectory } from "./sync-directory.js";
import type { WorkspacePlace } from "./workspace-place.js";
import { FinishMount, StartMount } from "./workspace-record.js";

/**
 * The tag of the snapshot that the workspace is compared with. It has no name, so that models do
 * not see it and the snapshot limit does not delete it.
 */
export const BASE_TAG = "what the directory has";

export interface MountWorkspaceOptions {
  readonly filesystem: SnapshotableFilesystem;
  readonly record: Session;
  /** Shows the progress. @default nothing is shown */
  readonly status?: StatusLine | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the workspace a copy of the directory as it is now. Other files in the workspace are
 * deleted; snapshots stay. If it is killed or aborted, the next opening repeats it.
 */
export async function mountWorkspace(
  place: WorkspacePlace,
  { filesystem, record, status, signal }: MountWorkspaceOptions,
): Promise<void> {
  record.dispatch(StartMount({ directory: place.directory }));
  const copiedAtMs = Date.now();
  const report = await copyDirectory(place, { status, signal });
  status?.show("saving the state of the directory", count(report.fileCount, "file"));
  await syncDirectory(place.incoming, place.files);
  await removeHostTree(place.incoming);
  const base = await filesystem.snapshot({ tag: BASE_TAG, signal });
  record.dispatch(
    FinishMount({
      base,
      hostPrint: hostPrint({ ...place, copiedAtMs }),
      mounted: {
        fileCount: report.fileCount,
        totalBytes: report.totalBytes,
        leftOut: report.leftOut.map((each) => ({ ...each })),
      },
    }),
  );
}

/** Copies to a separate directory first, so that a failed copy does not change the workspace. */
async function copyDirectory(
  { directory, incoming, applied }: WorkspacePlace,
  { status, signal }: Pick<MountWorkspaceOptions, "status" | "signal">,
): Promise<MountReport> {
  await emptyDirectory(incoming);
  await using copy = await HostFilesystem.open(incoming);
  const { report } = await mountHost(copy, [{ hostPath: ".", gitignore: true }], {
    onProgress: status && showCopying(status),
    signal,
    allowedHostRoots: [directory],
    stateDirectory: applied,
    trackChanges: false,
  });
  return report;
}
