import { constants, type Stats } from "node:fs";
import { lstat, open } from "node:fs/promises";
import path from "node:path";
import { saveFile } from "@wink/filesystem/host";
import { OverrideStoreError } from "./override-store-error.js";

/** A file in the store's directory, as path segments. */
export interface StoreFile {
  readonly directory: string;
  readonly segments: readonly string[];
}

export function shownName({ segments }: StoreFile): string {
  return segments.join("/");
}

/**
 * Returns the text of the file, or `undefined` if it does not exist.
 *
 * Below the store's directory, it follows no symbolic link, does not block on a pipe, and reads at
 * most `maxBytes`. Each of these is an error.
 */
export async function readStoreFile(
  file: StoreFile,
  maxBytes: number,
): Promise<string | undefined> {
  const found = await findStoreFile(file);
  if (found === undefined) return undefined;
  const name = shownName(file);
  try {
    await using handle = await open(hostPath(file), READ_FLAGS);
    const stats = await handle.stat();
    if (!stats.isFile()) throw new OverrideStoreError("not_a_file", { file: name });
    if (stats.size > maxBytes) throw tooLarge(name, maxBytes);
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      // The file may have grown since `stat`.
      if (length > maxBytes) throw tooLarge(name, maxBytes);
      if (bytesRead === 0) return decode(buffer.subarray(0, length), name);
    }
  } catch (error) {
    throw fromDisk(error, name);
  }
}

/** Replaces the file atomically and creates missing directories. */
export async function writeStoreFile(file: StoreFile, text: string): Promise<void> {
  await findStoreFile(file);
  try {
    saveFile(hostPath(file), text, 0o666);
  } catch (error) {
    throw fromDisk(error, shownName(file));
  }
}

/** Checks each path component with `lstat`, without following links. */
async function findStoreFile(file: StoreFile): Promise<Stats | undefined> {
  let current = file.directory;
  let stats: Stats | undefined;
  for (const [index, segment] of file.segments.entries()) {
    current = path.join(current, segment);
    const name = file.segments.slice(0, index + 1).join("/");
    try {
      stats = await lstat(current);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw fromDisk(error, name);
    }
    if (stats.isSymbolicLink()) throw new OverrideStoreError("link", { file: name });
    const isLast = index === file.segments.length - 1;
    if (isLast ? !stats.isFile() : !stats.isDirectory())
      throw new OverrideStoreError("not_a_file", {
        file: name,
        reason: isLast ? undefined : "it is not a directory",
      });
  }
  return stats;
}

// Windows has neither flag. There, only the earlier `lstat` check protects.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function hostPath({ directory, segments }: StoreFile): string {
  return path.join(directory, ...segments);
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new OverrideStoreError("bad_json", { file, reason: "it is not UTF-8 text", cause });
  }
}

function tooLarge(file: string, maxBytes: number): OverrideStoreError {
  const reason = `it is larger than ${maxBytes} bytes`;
  return new OverrideStoreError("too_large", { file, reason });
}

/** Converts disk errors. Their text can contain host paths, so it goes only to `cause`. */
export function fromDisk(error: unknown, file: string): unknown {
  if (error instanceof OverrideStoreError) return error;
  if (codeOf(error) === "ELOOP") return new OverrideStoreError("link", { file, cause: error });
  return new OverrideStoreError("io", { file, cause: error });
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
