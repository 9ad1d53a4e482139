import { ROOT, type VirtualPath } from "../virtual-path.js";
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
  for (const path of found) {
    const isStale = root.inParent(path, (parent, leaf) => {
      const stat = describe(parent, leaf);
      return stat !== undefined && isAbandoned(leaf, stat.mtimeMs, Date.now());
    });
    if (isStale) await removeTree(root, path);
  }
}
