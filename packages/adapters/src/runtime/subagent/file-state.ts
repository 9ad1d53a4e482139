import { type Filesystem, isFilesystemError } from "@wink/filesystem";

export interface FileState {
  readonly kind: "file";
  /** The content. For a symbolic link, its target. */
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  readonly isLink: boolean;
}

/** What exists at a path. `other` is a special file, or a path that agents may not access. */
export type NodeState =
  | FileState
  | { readonly kind: "absent" }
  | { readonly kind: "directory" }
  | { readonly kind: "other" };

const ABSENT: NodeState = Object.freeze({ kind: "absent" });

/** Reads the whole node at `path`. */
export async function readState(filesystem: Filesystem, path: string): Promise<NodeState> {
  try {
    const { kind, mode } = await filesystem.stat(path, { followLinks: false });
    if (kind === "directory") return { kind };
    if (kind === "symlink") {
      const bytes = new TextEncoder().encode(await filesystem.readlink(path));
      return { kind: "file", bytes, executable: false, isLink: true };
    }
    if (kind !== "file") return { kind: "other" };
    const executable = (mode & 0o100) !== 0;
    return { kind, bytes: await readWhole(filesystem, path), executable, isLink: false };
  } catch (error) {
    if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR")) return ABSENT;
    // A link above it, which is never followed, or a path that agents may not access.
    if (isFilesystemError(error, "EACCES")) return { kind: "other" };
    throw error;
  }
}

/** Writes a link, or a file of any size. */
export async function writeState(
  filesystem: Filesystem,
  path: string,
  { bytes, executable, isLink }: FileState,
): Promise<void> {
  // Links are neither followed nor replaced by a write.
  const before = await readState(filesystem, path);
  if (before.kind === "file" && (before.isLink || isLink)) await filesystem.delete(path);
  if (isLink) {
    await filesystem.symlink(new TextDecoder().decode(bytes), path);
    return;
  }
  if (bytes.length <= filesystem.limits.maxWriteBytes) {
    await filesystem.writeBytes(path, bytes, { executable });
    return;
  }
  await using writer = await filesystem.openWrite(path, { executable });
  await writer.write(bytes);
  await writer.close();
}

async function readWhole(filesystem: Filesystem, path: string): Promise<Uint8Array> {
  const page = await filesystem.readBytes(path, { limit: filesystem.limits.maxReadBytes });
  if (!page.truncated) return page.content;
  const bytes = new Uint8Array(page.sizeBytes);
  let position = 0;
  await using reader = await filesystem.openRead(path);
  for await (const chunk of reader) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  return bytes;
}
