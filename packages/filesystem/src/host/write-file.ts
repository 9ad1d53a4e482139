import { closeSync, fstatSync } from "node:fs";
import type { PinnedDirectory } from "./containment.js";
import { errorCode } from "./from-node-error.js";
import { type HostRoot, requireRegular } from "./host-root.js";
import { fill, requireUnchanged } from "./read-file.js";
import { LARGEST_HASHED_BYTES, revisionOfBytes } from "./revision-cache.js";
import { type PublishOptions, TemporaryFile } from "./temporary-file.js";
import type { TimeSlice } from "./time-slice.js";

/** Puts content in place at `leaf` and answers with its revision when that is cheap to tell. */
export function writeLeaf(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  bytes: Uint8Array,
  publish: PublishOptions,
): string | undefined {
  const file = new TemporaryFile(parent);
  try {
    const existing = publish.mode === "append" ? openIfThere(root, parent, leaf) : undefined;
    if (existing !== undefined) for (const _ of copyPieces(existing, file));
    file.write(bytes);
    file.publish(leaf, publish);
  } catch (error) {
    file.discard();
    throw error;
  }
  const isWhole = publish.mode !== "append" && bytes.length <= LARGEST_HASHED_BYTES;
  return isWhole ? revisionOfBytes(bytes) : undefined;
}

/** Copies what is at `leaf`, letting others work in between. Answers whether anything was there. */
export async function copyExisting(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  file: TemporaryFile,
  slice: TimeSlice,
): Promise<boolean> {
  const fd = openIfThere(root, parent, leaf);
  if (fd === undefined) return false;
  for (const _ of copyPieces(fd, file)) if (slice.due) await slice.rest();
  return true;
}

const PIECE_BYTES = 256 * 1024;

/** Copies the regular file that is open as `fd`, piece by piece, and closes it; fails when it was written to meanwhile. */
function* copyPieces(fd: number, file: TemporaryFile): Generator<void, void, void> {
  try {
    const stat = fstatSync(fd, { bigint: true });
    requireRegular(stat);
    const size = Number(stat.size);
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size));
    for (let offset = 0; offset < size; offset += piece.length) {
      const count = fill(fd, piece, offset, Math.min(piece.length, size - offset));
      file.write(piece.subarray(0, count));
      yield;
    }
    requireUnchanged(fd, stat);
  } finally {
    closeSync(fd);
  }
}

function openIfThere(root: HostRoot, parent: PinnedDirectory, leaf: string): number | undefined {
  try {
    return root.openLeaf(parent, leaf);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
