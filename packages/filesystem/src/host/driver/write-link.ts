import { renameSync, symlinkSync, unlinkSync } from "node:fs";
import type { WriteMode } from "../../protocol/filesystem.js";
import type { HostRoot } from "../containment/host-root.js";
import { setLinkTime } from "../containment/node-attributes.js";
import { linkOrReserve, type PinnedDirectory } from "../containment/pinned-directory.js";
import { claimTemporary } from "../containment/temporary-claims.js";
import { isAbsence } from "../process/from-node-error.js";

/** Puts a link in place atomically. Its target is never resolved. */
export function writeLink(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  target: Uint8Array,
  { mode, modifiedAtMs }: { readonly mode: WriteMode; readonly modifiedAtMs?: number | undefined },
): void {
  placeNode(root, parent, leaf, mode, (path) => {
    symlinkSync(Buffer.from(target), path);
    if (modifiedAtMs !== undefined) setLinkTime(path, modifiedAtMs);
  });
}

/** Calls `make` to create a node under a temporary name and renames it to `leaf`. */
export function placeNode(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  mode: WriteMode,
  make: (path: string | Buffer) => void,
): void {
  const claim = claimTemporary(root, parent);
  const path = parent.pathOf(claim.name);
  try {
    make(path);
    if (mode === "create") linkOrReserve(path, parent.pathOf(leaf));
    else renameSync(path, parent.pathOf(leaf));
  } catch (error) {
    if (isRemoved(path)) claim.release();
    else claim.abandon();
    throw error;
  }
  claim.release();
}

function isRemoved(path: string | Buffer): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return isAbsence(error);
  }
}
