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
  type Stats,
  symlinkSync,
} from "node:fs";
import { type HostRoot, O_PATH } from "../containment/host-root.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { placeNode } from "../driver/write-link.js";
import { tolerating } from "../process/from-node-error.js";
import { writeAll } from "../process/store-io.js";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** Puts a file in place atomically. Replaces anything but a directory, and does not take over its mode. */
export function placeFile(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  pieces: Iterable<Uint8Array>,
  options: { readonly executable: boolean; readonly fsync: boolean },
): void {
  placeNode(root, parent, leaf, "overwrite", (path) => {
    const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    try {
      for (const piece of pieces) writeAll(fd, piece);
      const { uid, gid } = ownerFor(parent, leaf);
      tolerating(["EPERM"], () => fchownSync(fd, uid, gid), undefined);
      fchmodSync(fd, options.executable ? 0o755 : 0o644);
      if (options.fsync) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  });
}

/** Puts a link in place atomically. Its target is never resolved. */
export function placeLink(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  target: Buffer,
): void {
  placeNode(root, parent, leaf, "overwrite", (path) => {
    symlinkSync(target, path);
    const { uid, gid } = ownerFor(parent, leaf);
    tolerating(["EPERM"], () => lchownSync(path, uid, gid), undefined);
  });
}

/** Sets whether a file is executable, and clears the set-user-ID and set-group-ID bits. */
export function setExecutable(parent: PinnedDirectory, leaf: string, executable: boolean): void {
  const fd = openSync(parent.pathOf(leaf), O_PATH | O_NOFOLLOW);
  try {
    const { mode } = fstatSync(fd);
    const plain = mode & 0o666;
    chmodSync(`/proc/self/fd/${fd}`, executable ? plain | 0o100 | ((plain & 0o444) >> 2) : plain);
  } finally {
    closeSync(fd);
  }
}

/**
 * The owner of the old node or of the parent. A container may run as another user, who must be able to use the
 * restored file.
 */
function ownerFor(parent: PinnedDirectory, leaf: string): Stats {
  return parent.stat(leaf) ?? fstatSync(parent.fd);
}
