import { HostDoor } from "../containment/host-door.js";
import type { HostRoot } from "../containment/host-root.js";
import { fromNodeError } from "../process/from-node-error.js";
import { runEvery } from "../process/run-every.js";
import { hostChanging } from "./host-changing.js";
import type { HostFilesystemOptions } from "./host-options.js";
import { hostReading } from "./host-reading.js";
import { hostStreaming } from "./host-streaming.js";
import { RevisionCache } from "./revision-cache.js";
import { unseenChangeMs } from "./unseen-changes.js";

/** A `FilesystemDriver` for a directory on this machine. */
export type HostDriver = ReturnType<typeof hostDriver>;

/** Creates a driver for the directory that `root` holds open. The driver closes `root`. */
export function hostDriver(
  root: HostRoot,
  options: Pick<HostFilesystemOptions, "fsync" | "crossMounts" | "otherWriters"> = {},
) {
  const { fsync = true, crossMounts = false } = options;
  const door = new HostDoor(root);
  const cache = new RevisionCache(unseenChangeMs(root.directory.prefix, options));
  const { stat, list, read, ...reading } = hostReading(door, cache, crossMounts);
  const { write, mkdir, remove, ...changing } = hostChanging(door, fsync);
  const { closeAll, ...streaming } = hostStreaming(door, fsync);
  const stores: readonly ("links" | "modes" | "times")[] = ["links", "modes", "times"];
  return {
    name: "host",
    stores,
    /** The canonical path of the directory when it was opened. */
    root: root.path,
    ...{ stat, list, read, write, mkdir, remove },
    accelerate: { ...reading, ...changing, ...streaming },
    /** Aborts every open stream and closes the directory. Every later call fails with `EBADF`. */
    close(): void {
      try {
        runEvery([closeAll, () => root.close()]);
      } catch (error) {
        throw fromNodeError(error, "close", ".");
      }
    },
  };
}
