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

/** A store is for us alone. */
export const PRIVATE_DIRECTORY = 0o700;
/** As git makes them: the umask decides. */
export const SHARED_DIRECTORY = 0o777;

/** Puts a file in place in one step: whoever looks sees nothing, the old one, or all of the new one. */
export function replaceFile(
  path: string,
  pieces: readonly Uint8Array[],
  options: {
    readonly fsync: boolean;
    readonly mode?: number;
    readonly directoryMode?: number | undefined;
  },
): void {
  const temporary = temporaryBeside(path);
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

/** A name that git, too, takes for something left behind. */
export function temporaryBeside(path: string): string {
  return `${dirname(path)}/tmp_obj_${randomBytes(8).toString("hex")}`;
}

/** Opens a new file for writing; its directory is made when it is not there. */
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

export function readIfThere(path: string): Buffer | undefined {
  return tolerating(["ENOENT", "ENOTDIR"], () => readFileSync(path), undefined);
}

/** Answers whether it was there. */
export function removeIfThere(path: string): boolean {
  const remove = () => {
    unlinkSync(path);
    return true;
  };
  return tolerating(["ENOENT", "ENOTDIR"], remove, false);
}

/** `undefined` when there is no such file. */
export function sizeIfThere(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
