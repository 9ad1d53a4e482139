import { baseName, ROOT, type VirtualPath } from "../virtual-path.js";
import { errorCode, isAbsence } from "./from-node-error.js";
import { describe, type HostRoot } from "./host-root.js";
import { walkHost } from "./host-walk.js";
import { removeTree } from "./remove-tree.js";
import { RevisionCache } from "./revision-cache.js";
import { isAbandoned } from "./temporary-name.js";
import { TimeSlice } from "./time-slice.js";

/** Removes what processes that are no more have left half written. */
export async function sweepTemporaries(root: HostRoot): Promise<void> {
  const found: VirtualPath[] = [];
  const slice = new TimeSlice();
  const options = {
    enter: () => true,
    crossMounts: false,
    onTemporary: (path: VirtualPath) => found.push(path),
  };
  for (const _ of walkHost(root, new RevisionCache(), ROOT, options))
    if (slice.due) await slice.rest();
  for (const path of found) await removeIfAbandoned(root, path);
}

/** One that may not be removed stays: that is no reason to keep anybody from the workspace. */
async function removeIfAbandoned(root: HostRoot, path: VirtualPath): Promise<void> {
  try {
    const stat = root.inParent(path, describe);
    const isStale = stat !== undefined && isAbandoned(baseName(path), stat.mtimeMs, Date.now());
    if (isStale) await removeTree(root, path);
  } catch (error) {
    if (
      !["EACCES", "EPERM", "EROFS", "EMOUNT"].includes(errorCode(error) ?? "") &&
      !isAbsence(error)
    )
      throw error;
  }
}
