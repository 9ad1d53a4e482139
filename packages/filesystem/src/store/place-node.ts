import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lchownSync,
  openSync,
  renameSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import type { PinnedDirectory } from "../host/containment.js";
import { tolerating } from "../host/from-node-error.js";
import { describe, O_PATH, pathIn } from "../host/host-root.js";
import { temporaryName } from "../host/temporary-name.js";
import { writeAll } from "./store-io.js";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** Puts a file in place in one step, whatever but a directory is there. Nothing it replaces decides its mode. */
export function placeFile(
  parent: PinnedDirectory,
  leaf: string,
  pieces: Iterable<Uint8Array>,
  options: { readonly executable: boolean; readonly fsync: boolean },
): void {
  const name = temporaryName();
  const fd = openSync(pathIn(parent, name), O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    try {
      for (const piece of pieces) writeAll(fd, piece);
      const { uid, gid } = ownerFor(parent, leaf);
      tolerating(["EPERM"], () => fchownSync(fd, uid, gid), undefined);
      fchmodSync(fd, options.executable ? 0o755 : 0o644);
      if (options.fsync) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(pathIn(parent, name), pathIn(parent, leaf));
  } catch (error) {
    tolerating(["ENOENT"], () => unlinkSync(pathIn(parent, name)), undefined);
    throw error;
  }
}

/** Puts a link in place in one step. What it points to is written down, not looked at. */
export function placeLink(parent: PinnedDirectory, leaf: string, target: Buffer): void {
  const name = temporaryName();
  symlinkSync(target, pathIn(parent, name));
  try {
    const { uid, gid } = ownerFor(parent, leaf);
    tolerating(["EPERM"], () => lchownSync(pathIn(parent, name), uid, gid), undefined);
    renameSync(pathIn(parent, name), pathIn(parent, leaf));
  } catch (error) {
    tolerating(["ENOENT"], () => unlinkSync(pathIn(parent, name)), undefined);
    throw error;
  }
}

/** Makes a file one that can be run or not, and that runs as nobody else. */
export function setExecutable(parent: PinnedDirectory, leaf: string, executable: boolean): void {
  const fd = openSync(pathIn(parent, leaf), O_PATH | O_NOFOLLOW);
  try {
    const { mode } = fstatSync(fd);
    const plain = mode & 0o666;
    chmodSync(`/proc/self/fd/${fd}`, executable ? plain | 0o100 | ((plain & 0o444) >> 2) : plain);
  } finally {
    closeSync(fd);
  }
}

/** Whoever works in the workspace under another name must still be able to use what comes back. */
function ownerFor(parent: PinnedDirectory, leaf: string): Stats {
  return describe(parent, leaf) ?? fstatSync(parent.fd);
}
