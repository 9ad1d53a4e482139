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
import { modeOf } from "../../snapshots/tree-view.js";
import { type HostRoot, O_PATH } from "../containment/host-root.js";
import { setDirectoryAttributes, setLinkTime, setTime } from "../containment/node-attributes.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { placeNode } from "../driver/write-link.js";
import type { NodeAttributes } from "../git-store/tree-attributes.js";
import { tolerating } from "../process/from-node-error.js";
import { writeAll } from "../process/store-io.js";
import type { AttributesStep } from "./restore-plan.js";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** Puts a file in place atomically. Replaces anything but a directory, and does not take over its mode. */
export function placeFile(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  pieces: Iterable<Uint8Array>,
  options: NodeAttributes & { readonly executable: boolean; readonly fsync: boolean },
): void {
  placeNode(root, parent, leaf, "overwrite", (path) => {
    const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    try {
      for (const piece of pieces) writeAll(fd, piece);
      const { uid, gid } = ownerFor(parent, leaf);
      tolerating(["EPERM"], () => fchownSync(fd, uid, gid), undefined);
      fchmodSync(fd, modeOf(options));
      if (options.modifiedAtMs !== undefined) setTime(fd, options.modifiedAtMs);
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
  { modifiedAtMs }: NodeAttributes,
): void {
  placeNode(root, parent, leaf, "overwrite", (path) => {
    symlinkSync(target, path);
    const { uid, gid } = ownerFor(parent, leaf);
    tolerating(["EPERM"], () => lchownSync(path, uid, gid), undefined);
    if (modifiedAtMs !== undefined) setLinkTime(path, modifiedAtMs);
  });
}

/**
 * Sets attributes of an existing node. Permission bits that are set clear the set-user-ID and set-group-ID bits of a file.
 * A time that only another user may set stays.
 */
export function setAttributes(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  { kind, mode, modifiedAtMs }: AttributesStep,
): void {
  if (kind === "directory") {
    if (mode !== undefined) setDirectoryAttributes(root, parent, leaf, { permissions: mode });
  } else if (mode !== undefined) setMode(parent, leaf, mode);
  if (modifiedAtMs === undefined) return;
  const setTimeOf =
    kind === "directory"
      ? () => setDirectoryAttributes(root, parent, leaf, { modifiedAtMs })
      : () => setLinkTime(parent.pathOf(leaf), modifiedAtMs);
  tolerating(["EPERM", "EACCES"], setTimeOf, undefined);
}

function setMode(parent: PinnedDirectory, leaf: string, mode: number): void {
  const fd = openSync(parent.pathOf(leaf), O_PATH | O_NOFOLLOW);
  try {
    chmodSync(`/proc/self/fd/${fd}`, mode);
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
