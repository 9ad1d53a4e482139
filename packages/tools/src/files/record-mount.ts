import type { CallOptions, Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { MountFiles } from "../events/file-events.js";
import { VirtualFileSystem } from "./virtual-file-system.js";

export interface RecordMountOptions extends CallOptions {
  readonly session: Session;
}

/** Records the workspace's files in the session as version 0. */
export async function recordMount(
  workspace: string,
  filesystem: Filesystem,
  { session, signal }: RecordMountOptions,
): Promise<void> {
  session.install(VirtualFileSystem);
  const files: MountedFile[] = [];
  await addBelow(filesystem, ".", files, signal);
  session.dispatch(MountFiles({ workspace, files }));
}

interface MountedFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** By listing, because a `stat` of each file reads it for its revision. */
async function addBelow(
  filesystem: Filesystem,
  directory: string,
  files: MountedFile[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let offset = 0, isMore = true; isMore; ) {
    const page = await filesystem.list(directory, { offset, details: true, signal });
    for (const { path, kind, sizeBytes = 0 } of page) {
      if (kind === "file") files.push({ path, sizeBytes });
      else if (kind === "directory") await addBelow(filesystem, path, files, signal);
    }
    offset += page.length;
    isMore = page.truncated && page.length > 0;
  }
}
