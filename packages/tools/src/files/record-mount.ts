import type { CallOptions, Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { MountFiles } from "../events/file-events.js";
import { filesIn, findFile } from "./file-tree.js";
import { VirtualFileSystem } from "./virtual-file-system.js";

export interface RecordMountOptions extends CallOptions {
  readonly session: Session;
  /** Describes the files for the prompt. */
  readonly preview: () => Promise<string>;
}

/**
 * Records the workspace's files in the session as version 0. A session that knows exactly these files, such as that of a
 * run that is continued, keeps their versions and writers.
 *
 * Resolves to the preview of the files. If the session knows the files, it is the earlier one: the model has read that,
 * and a continued run must send the same request.
 */
export async function recordMount(
  workspace: string,
  filesystem: Filesystem,
  { session, preview, signal }: RecordMountOptions,
): Promise<string> {
  session.install(VirtualFileSystem);
  const files: MountedFile[] = [];
  await addBelow(filesystem, ".", files, signal);
  const last = session.events
    .of(MountFiles)
    .findLast(({ payload }) => payload.workspace === workspace)?.payload;
  const isSame = last !== undefined && isKnown(workspace, files, session);
  const text = (isSame ? last.preview : undefined) ?? (await preview());
  if (!isSame) session.dispatch(MountFiles({ workspace, files, preview: text }));
  return text;
}

function isKnown(workspace: string, files: readonly MountedFile[], session: Session): boolean {
  const { root } = session.state(VirtualFileSystem);
  const isSame = ({ path, sizeBytes }: MountedFile) =>
    findFile(root, { workspace, path })?.sizeBytes === sizeBytes;
  if (!files.every(isSame)) return false;
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
