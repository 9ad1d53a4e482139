import type { CallOptions, Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { MountFiles } from "../events/file-events.js";
import { filesIn, findFile } from "./file-tree.js";
import { VirtualFileSystem } from "./virtual-file-system.js";

export interface RecordMountOptions extends CallOptions {
  readonly session: Session;
}

/**
 * Records the workspace's files in the session as version 0. A session that knows exactly these files, such as that of a
 * run that is continued, keeps their versions and writers.
 */
export async function recordMount(
  workspace: string,
  filesystem: Filesystem,
  { session, signal }: RecordMountOptions,
): Promise<void> {
  session.install(VirtualFileSystem);
  const files: MountedFile[] = [];
  await addBelow(filesystem, ".", files, signal);
  if (!isKnown(workspace, files, session)) session.dispatch(MountFiles({ workspace, files }));
}

function isKnown(workspace: string, files: readonly MountedFile[], session: Session): boolean {
  const { root } = session.state(VirtualFileSystem);
  const isSame = ({ path, sizeBytes }: MountedFile) =>
    findFile(root, { workspace, path })?.sizeBytes === sizeBytes;
  if (files.length === 0 || !files.every(isSame)) return false;
  const known = [...filesIn(root)].filter((file) => file.workspace === workspace);
  return known.length === files.length;
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
