import { type Filesystem, isFilesystemError } from "@wink/filesystem";

export interface FileState {
  readonly kind: "file";
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** What exists at a path. `other` is a symbolic link or a special file. */
export type NodeState =
  | FileState
  | { readonly kind: "absent" }
  | { readonly kind: "directory" }
  | { readonly kind: "other" };

const ABSENT: NodeState = Object.freeze({ kind: "absent" });

/** Reads the whole node at `path`. */
export async function readState(filesystem: Filesystem, path: string): Promise<NodeState> {
  try {
    const { kind, mode } = await filesystem.stat(path);
    if (kind === "directory") return { kind };
    if (kind !== "file") return { kind: "other" };
    const executable = (mode & 0o100) !== 0;
    return { kind, bytes: await readWhole(filesystem, path), executable };
  } catch (error) {
    if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR")) return ABSENT;
    // A symbolic link, which is never followed, or a path that agents may not access.
    if (isFilesystemError(error, "EACCES")) return { kind: "other" };
    throw error;
  }
}

/** Writes a file of any size. */
export async function writeState(
  filesystem: Filesystem,
  path: string,
  { bytes, executable }: FileState,
): Promise<void> {
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
