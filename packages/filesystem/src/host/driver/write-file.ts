import { closeSync, fstatSync, type Stats } from "node:fs";
import { type HostRoot, requireRegular } from "../containment/host-root.js";
import { timeOf } from "../containment/node-attributes.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { errorCode } from "../process/from-node-error.js";
import { fill, requireUnchanged } from "./read-file.js";
import { MAX_HASHED_BYTES, revisionOfBytes } from "./revision-cache.js";
import { type PublishOptions, TemporaryFile } from "./temporary-file.js";

/** Writes the file `leaf` atomically. Returns its revision if that is cheap to compute. */
export function writeLeaf(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  bytes: Uint8Array,
  publish: PublishOptions,
): string | undefined {
  const file = new TemporaryFile(root, parent);
  try {
    const kept =
      publish.mode === "append" ? finish(copyExisting(root, parent, leaf, file)) : undefined;
    file.write(bytes);
    // Without new bytes only the attributes change.
    const time = bytes.length === 0 && kept ? timeOf(kept) : undefined;
    file.publish(leaf, { ...publish, modifiedAtMs: publish.modifiedAtMs ?? time });
  } catch (error) {
    file.discard();
    throw error;
  }
  const isWhole = publish.mode !== "append" && bytes.length <= MAX_HASHED_BYTES;
  return isWhole ? revisionOfBytes(bytes) : undefined;
}

function finish<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const PIECE_BYTES = 256 * 1024;

/**
 * Copies the regular file `leaf` piece by piece. Returns its stat, or `undefined` if it does not exist.
 */
export function* copyExisting(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  file: TemporaryFile,
): Generator<void, Stats | undefined, void> {
  const fd = openIfThere(root, parent, leaf);
  if (fd === undefined) return undefined;
  try {
    yield* copyOpen(fd, file);
    return fstatSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Copies the regular file that is open as `fd`. Throws if it was written to during the copy. */
export function* copyOpen(fd: number, file: TemporaryFile): Generator<void, void, void> {
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
}

function openIfThere(root: HostRoot, parent: PinnedDirectory, leaf: string): number | undefined {
  try {
    return root.openLeaf(parent, leaf);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
