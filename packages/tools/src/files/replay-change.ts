import { type Filesystem, isFilesystemError, type MaybePromise } from "@wink/filesystem";
import type { ChangedFile } from "@wink/prompt/adapter";
import type { RecordedEvent } from "@wink/session";
import { ToolsError } from "../error/tools-error.js";

/** The contents that `files.change` events name, such as a `Map` from SHA-256 to bytes. */
export interface ContentSource {
  get(contentId: string): MaybePromise<Uint8Array | undefined>;
}

/** Brings one path into the state that a `files.change` event describes. */
export async function replayChange(
  event: RecordedEvent<string, ChangedFile>,
  filesystem: Filesystem,
  blobs: ContentSource,
): Promise<void> {
  const { path, kind, node, mode, link } = event.payload;
  const existing = await kindAt(filesystem, path);
  if (kind === "modify" && existing === undefined)
    throw mismatch(event, `'${path}' does not exist`, FITS);
  const isSame = existing === node && node !== "symlink";
  if (existing !== undefined && !isSame) await filesystem.delete(path, { recursive: true });
  if (kind === "delete" || node === undefined) return;
  if (node === "symlink") {
    if (link === undefined) throw mismatch(event, `the target of the link '${path}' is not UTF-8`);
    await filesystem.symlink(link, path);
    return;
  }
  if (node === "directory") await filesystem.mkdir(path);
  else await write(filesystem, path, await contentOf(event, blobs));
  const wanted = mode ?? (node === "directory" ? 0o755 : 0o644);
  if (((await filesystem.stat(path)).mode & 0o777) !== wanted) await filesystem.chmod(path, wanted);
}

async function contentOf(
  event: RecordedEvent<string, ChangedFile>,
  blobs: ContentSource,
): Promise<Uint8Array> {
  const { path, contentId = "", sizeBytes } = event.payload;
  const content = await blobs.get(contentId);
  if (content === undefined || content.length !== sizeBytes)
    throw mismatch(
      event,
      `the content of '${path}' is missing (${contentId})`,
      "Pass the contents of the run",
    );
  return content;
}

/** In pieces, because one write has a limit. */
async function write(filesystem: Filesystem, path: string, content: Uint8Array): Promise<void> {
  if (content.length <= filesystem.limits.maxWriteBytes) {
    await filesystem.writeBytes(path, content);
    return;
  }
  await using writer = await filesystem.openWrite(path);
  for (let start = 0; start < content.length; start += PIECE_BYTES)
    await writer.write(content.subarray(start, start + PIECE_BYTES));
  await writer.close();
}

const PIECE_BYTES = 1024 * 1024;
const FITS = "Pass all events, and a filesystem in the workspace's initial state";

async function kindAt(filesystem: Filesystem, path: string) {
  try {
    return (await filesystem.stat(path, { followLinks: false })).kind;
  } catch (error) {
    if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

function mismatch({ sequence }: RecordedEvent, reason: string, action?: string): ToolsError {
  return new ToolsError("EVENT_MISMATCH", { subject: `event ${sequence}`, reason, action });
}
