import { HostDoor } from "../containment/host-door.js";
import type { HostRoot } from "../containment/host-root.js";
import { fromNodeError } from "../process/from-node-error.js";
import { runEvery } from "../process/run-every.js";
import { HostChanging } from "./host-changing.js";
import type { HostFilesystemOptions } from "./host-options.js";
import { HostReading } from "./host-reading.js";
import { HostStreaming } from "./host-streaming.js";
import { RevisionCache } from "./revision-cache.js";
import { unseenChangeMs } from "./unseen-changes.js";

export type HostDriverOptions = Pick<
  HostFilesystemOptions,
  "fsync" | "crossMounts" | "otherWriters"
>;

type Parts = Pick<HostReading, "stat" | "list" | "read"> &
  Pick<HostChanging, "write" | "mkdir" | "remove">;

type Accelerators = Pick<HostReading, "load" | "revision" | "walk" | "usage"> &
  Pick<HostChanging, "writeText" | "removeTree" | "rename" | "clone"> &
  Pick<HostStreaming, "openRead" | "openWrite">;

/** A `FilesystemDriver` for a directory on this machine. */
export interface HostDriver extends Parts {
  readonly name: "host";
  readonly stores: readonly ("links" | "modes" | "times")[];
  /** The canonical path of the directory when it was opened. */
  readonly root: string;
  readonly accelerate: Accelerators;
  /** Aborts every open stream and closes the directory. Every later call fails with `EBADF`. */
  close(): void;
}

/** Creates a driver for the directory that `root` holds open. The driver closes `root`. */
export function hostDriver(root: HostRoot, options: HostDriverOptions = {}): HostDriver {
  const { fsync = true, crossMounts = false } = options;
  const door = new HostDoor(root);
  const cache = new RevisionCache(unseenChangeMs(root.directory.prefix, options));
  const reading = new HostReading(door, cache, crossMounts);
  const changing = new HostChanging(door, fsync);
  const streaming = new HostStreaming(door, fsync);
  return {
    name: "host",
    stores: ["links", "modes", "times"],
    root: root.path,
    stat: (path) => reading.stat(path),
    list: (path) => reading.list(path),
    read: (path, offset, length) => reading.read(path, offset, length),
    write: (path, bytes, mode, given) => changing.write(path, bytes, mode, given),
    mkdir: (path, given) => changing.mkdir(path, given),
    remove: (path) => changing.remove(path),
    accelerate: {
      load: (path, maxBytes) => reading.load(path, maxBytes),
      revision: (path) => reading.revision(path),
      walk: (base, enter, given) => reading.walk(base, enter, given),
      usage: (given) => reading.usage(given),
      writeText: (path, text, sizeBytes, mode, given) =>
        changing.writeText(path, text, sizeBytes, mode, given),
      removeTree: (path, given) => changing.removeTree(path, given),
      rename: (from, to) => changing.rename(from, to),
      clone: (from, to, given) => changing.clone(from, to, given),
      openRead: (path) => streaming.openRead(path),
      openWrite: (path, mode, given) => streaming.openWrite(path, mode, given),
    },
    close() {
      try {
        runEvery([() => streaming.closeAll(), () => root.close()]);
      } catch (error) {
        throw fromNodeError(error, "close", ".");
      }
    },
  };
}
