import { closeSync, fstatSync, readSync, type Stats } from "node:fs";
import { isFilesystemError } from "@wink/filesystem";
import { errorCode, type HostRoot, type PinnedDirectory } from "@wink/filesystem/host";
import type { LeftOutReason } from "./host-mount.js";
import { MAX_SEARCHED_FILE_BYTES } from "./secret-content.js";

export interface MountedFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  /** The stat before the bytes were read. Missing for a file of a revision. */
  readonly stat?: Stats | undefined;
}

export interface ReadLimits {
  readonly maxFileBytes: number;
  readonly rejectHardlinks: boolean;
  /** Called with the size before memory is allocated for it. */
  readonly onSize: (sizeBytes: number) => void;
  /** Allocates the memory for the bytes. */
  readonly slab: Slab;
}

/** A file that is copied in parts, because it is too large for memory. */
export interface LargeFile {
  readonly stat: Stats;
  /** Enough of it for the rules about secrets. */
  readonly beginning: Uint8Array;
  /** The whole content. Returns `false` if the file changed while it was read. */
  parts(): Generator<Uint8Array, boolean, void>;
}

const SLAB_BYTES = 1024 * 1024;

/**
 * Allocates memory for small files in large blocks, because one allocation per file costs more than reading the file.
 */
export class Slab {
  #free = new Uint8Array();

  take(sizeBytes: number): Uint8Array {
    if (sizeBytes > SLAB_BYTES / 4) return new Uint8Array(sizeBytes);
    if (sizeBytes > this.#free.length) this.#free = new Uint8Array(SLAB_BYTES);
    const taken = this.#free.subarray(0, sizeBytes);
    this.#free = this.#free.subarray(sizeBytes);
    return taken;
  }
}

/** How often a file is read again while another process writes to it. */
const MAX_TRIES = 5;

const ONE_PAGE_BYTES = 4096;

/** Larger files are copied in parts, if the target can do that. */
const MAX_WHOLE_BYTES = 32 * 1024 * 1024;

/** One byte more than the secret rules search, so that they know that the file is larger. */
const BEGINNING_BYTES = MAX_SEARCHED_FILE_BYTES + 1;

/** Thrown when a file changes during every read. */
export class ChangingFile extends Error {}

/**
 * Reads the size, the mode and the bytes through one descriptor, so they belong to the same file even if another
 * process replaces it. Returns the reason if the file cannot be copied, and `undefined` if it no longer exists.
 */
export function readMountedFile(
  root: HostRoot,
  parent: PinnedDirectory,
  name: string,
  limits: ReadLimits,
  copyLarge?: (file: LargeFile) => boolean,
): MountedFile | LeftOutReason | undefined {
  let fd: number;
  try {
    fd = root.openLeaf(parent, name);
  } catch (error) {
    return reasonOf(errorCode(error));
  }
  try {
    return readOpenFile(fd, limits, copyLarge);
  } catch (error) {
    if (isFilesystemError(error) || errorCode(error) === undefined) throw error;
    return "unreadable";
  } finally {
    closeSync(fd);
  }
}

function readOpenFile(
  fd: number,
  limits: ReadLimits,
  copyLarge: ((file: LargeFile) => boolean) | undefined,
): MountedFile | LeftOutReason | undefined {
  let before = fstatSync(fd);
  if (!before.isFile()) return "special";
  if (limits.rejectHardlinks && before.nlink > 1) return "hardlink";
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (before.size > limits.maxFileBytes) return "too-large";
    limits.onSize(before.size);
    if (copyLarge !== undefined && before.size > MAX_WHOLE_BYTES) {
      const beginning = new Uint8Array(BEGINNING_BYTES);
      fill(fd, beginning);
      const stat = before;
      if (copyLarge({ stat, beginning, parts: () => partsOf(fd, stat) })) return undefined;
      before = fstatSync(fd);
      continue;
    }
    const bytes = limits.slab.take(before.size);
    const isWhole = fill(fd, bytes) === bytes.length;
    const read = { bytes, executable: (before.mode & 0o100) !== 0, stat: before };
    // A read of one page is atomic, and a second `fstat` would cost as much as the read.
    if (isWhole && bytes.length <= ONE_PAGE_BYTES) return read;
    const after = fstatSync(fd);
    if (isWhole && after.mtimeMs === before.mtimeMs && after.size === before.size) return read;
    before = after;
  }
  throw new ChangingFile();
}

function* partsOf(fd: number, before: Stats): Generator<Uint8Array, boolean, void> {
  const part = new Uint8Array(SLAB_BYTES);
  let position = 0;
  for (let count = 1; count > 0; position += count) {
    count = readSync(fd, part, 0, part.length, position);
    if (count > 0) yield part.subarray(0, count);
  }
  const after = fstatSync(fd);
  return position === before.size && after.size === before.size && after.mtimeMs === before.mtimeMs;
}

/** Reads into `bytes` from the start of the file and returns the number of bytes read. */
function fill(fd: number, bytes: Uint8Array): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

function reasonOf(code: string | undefined): LeftOutReason | undefined {
  if (code === "ENOENT") return undefined;
  if (code === "ELOOP" || code === "EMLINK") return "symlink";
  return code === "ENXIO" || code === "ENODEV" ? "special" : "unreadable";
}
