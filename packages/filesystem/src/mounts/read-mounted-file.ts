import { closeSync, fstatSync } from "node:fs";
import type { PinnedDirectory } from "../host/containment/containment.js";
import type { HostRoot } from "../host/containment/host-root.js";
import { fill } from "../host/driver/read-file.js";
import { errorCode } from "../host/process/from-node-error.js";
import { isFilesystemError } from "../protocol/filesystem-error.js";
import type { LeftOutReason } from "./host-mount.js";

export interface MountedFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

export interface ReadLimits {
  readonly maxFileBytes: number;
  readonly rejectHardlinks: boolean;
  /** Called with the size before memory is taken for it. */
  readonly onSize: (sizeBytes: number) => void;
  /** Where the bytes go. */
  readonly slab: Slab;
}

const SLAB_BYTES = 1024 * 1024;

/** Memory for many small files, taken in large pieces: one at a time costs more than reading the file. */
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

/** How often a file that is being written to is read again. */
const MOST_TRIES = 5;

const ONE_PAGE_BYTES = 4096;

/** Thrown when a file does not hold still. */
export class ChangingFile extends Error {}

/**
 * Reads what is open, and takes nothing about it from its name: the bytes, the size and the
 * mode are those of one and the same file, whatever is put in its place meanwhile.
 * Answers with the reason where there is nothing to be read, and with `undefined` when it has gone.
 */
export function readMountedFile(
  root: HostRoot,
  parent: PinnedDirectory,
  name: string,
  limits: ReadLimits,
): MountedFile | LeftOutReason | undefined {
  let fd: number;
  try {
    fd = root.openLeaf(parent, name);
  } catch (error) {
    return reasonOf(errorCode(error));
  }
  try {
    return readOpenFile(fd, limits);
  } catch (error) {
    if (isFilesystemError(error) || errorCode(error) === undefined) throw error;
    return "unreadable";
  } finally {
    closeSync(fd);
  }
}

function readOpenFile(fd: number, limits: ReadLimits): MountedFile | LeftOutReason {
  let before = fstatSync(fd);
  if (!before.isFile()) return "special";
  if (limits.rejectHardlinks && before.nlink > 1) return "hardlink";
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (before.size > limits.maxFileBytes) return "too-large";
    limits.onSize(before.size);
    const bytes = limits.slab.take(before.size);
    const isWhole = fill(fd, bytes, 0, bytes.length) === bytes.length;
    const read = { bytes, executable: (before.mode & 0o100) !== 0 };
    // One page comes in one piece; a second look would cost as much as reading it.
    if (isWhole && bytes.length <= ONE_PAGE_BYTES) return read;
    const after = fstatSync(fd);
    if (isWhole && after.mtimeMs === before.mtimeMs && after.size === before.size) return read;
    before = after;
  }
  throw new ChangingFile();
}

function reasonOf(code: string | undefined): LeftOutReason | undefined {
  if (code === "ENOENT") return undefined;
  if (code === "ELOOP" || code === "EMLINK") return "symlink";
  return code === "ENXIO" || code === "ENODEV" ? "special" : "unreadable";
}
