import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorCode, tolerating } from "./from-node-error.js";

/** The mode of a store's directories: only this user can open them. */
export const PRIVATE_DIRECTORY = 0o700;
/** The mode that git uses. The umask removes bits from it. */
export const SHARED_DIRECTORY = 0o777;

/** Replaces a file atomically. Readers see no file, the old file or the complete new file. */
export function replaceFile(
  path: string,
  pieces: readonly Uint8Array[],
  options: {
    readonly fsync: boolean;
    readonly mode?: number | undefined;
    readonly directoryMode?: number | undefined;
    readonly temporary?: string | undefined;
  },
): void {
  const { temporary = temporaryBeside(path) } = options;
  try {
    const fd = openMaking(temporary, options.mode ?? 0o600, options.directoryMode);
    try {
      for (const piece of pieces) writeAll(fd, piece);
      if (options.fsync) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    tolerating(["ENOENT"], () => unlinkSync(temporary), undefined);
    throw error;
  }
  if (options.fsync) syncDirectory(dirname(path));
}

/** Returns a temporary name next to `path`. git also recognises it as a temporary file and removes it. */
export function temporaryBeside(path: string): string {
  return `${dirname(path)}/tmp_obj_${randomBytes(8).toString("hex")}`;
}

/** Creates a file for writing, and its directory if that is missing. */
export function openMaking(path: string, mode: number, directoryMode?: number): number {
  try {
    return openSync(path, "wx+", mode);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    makeDirectories(dirname(path), directoryMode);
    return openSync(path, "wx+", mode);
  }
}

export function makeDirectories(path: string, mode = PRIVATE_DIRECTORY): void {
  mkdirSync(path, { recursive: true, mode });
}

export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(fd, bytes, written, bytes.length - written);
}

export function syncDirectory(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The content of a file. Given a path, Node's `readFileSync` leaves the file open when `fstat` fails. */
function readWhole(path: string): Buffer {
  const fd = openSync(path, "r");
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function readIfThere(path: string): Buffer | undefined {
  return tolerating(["ENOENT", "ENOTDIR"], () => readWhole(path), undefined);
}

/** Returns whether the file existed. */
export function removeIfThere(path: string): boolean {
  const remove = () => {
    unlinkSync(path);
    return true;
  };
  return tolerating(["ENOENT", "ENOTDIR"], remove, false);
}

/** Returns `undefined` if the file does not exist. */
export function sizeIfThere(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
