import { closeSync, openSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { HostRoot } from "../containment/host-root.js";
import { claimTemporary } from "../containment/temporary-claims.js";
import { errorCode, tolerating } from "../process/from-node-error.js";
import { removeIfThere } from "../process/store-io.js";

/**
 * Whether a file can be renamed between `directory` and the workspace. Equal device numbers are not enough: one
 * filesystem can be mounted in two places, and the kernel refuses a rename between two mounts.
 */
export function canMove(root: HostRoot, directory: string): boolean {
  const claim = claimTemporary(root, root.directory);
  const outside = join(directory, claim.name);
  const inside = root.directory.pathOf(claim.name);
  try {
    closeSync(openSync(outside, "wx", 0o600));
    renameSync(outside, inside);
    renameSync(inside, outside);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  } finally {
    removeIfThere(outside);
    tolerating(["ENOENT"], () => unlinkSync(inside), undefined);
    claim.release();
  }
}
