import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  openSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import type { Containment, PinnedDirectory } from "../host/containment.js";
import { CopiedDirectories } from "../host/copied-directories.js";
import { isAbsence } from "../host/from-node-error.js";
import { type HostDriver, hostDriver } from "../host/host-driver.js";
import { HostRoot, O_PATH, pathIn } from "../host/host-root.js";
import { walkHost } from "../host/host-walk.js";
import { removeTree } from "../host/remove-tree.js";
import { RevisionCache } from "../host/revision-cache.js";
import { joinPath, ROOT } from "../virtual-path.js";
import { capturePolicy } from "./capture-policy.js";
import { makePrivateDirectory, type PrivateDirectory } from "./private-directory.js";
import { sliced } from "./sliced.js";
import type { SnapshotStoreOptions } from "./store-parts.js";
import type { SnapshottingHostDriver, withSnapshots } from "./with-snapshots.js";

/**
 * A copy of the workspace as it is now, in a private directory that goes when it is closed.
 *
 * Where the filesystem can, the two share the blocks of a file until one of them changes it.
 * Permissions are copied too. What the host's policy excludes is not in it, nor are special files.
 */
export async function forkWorkspace(
  root: HostRoot,
  options: SnapshotStoreOptions,
  open: typeof withSnapshots,
): Promise<SnapshottingHostDriver> {
  const directory = makePrivateDirectory("fork");
  const target = new HostRoot(directory.path, root.containment);
  try {
    await sliced(copyInto(root, target, options), { root });
    const driver: HostDriver = hostDriver(target, { fsync: options.fsync });
    const own = { ...options, storeDirectory: undefined, rootPath: undefined };
    const fork = await open(driver, target, own);
    return {
      ...fork,
      async close() {
        await fork.close();
        await remove(directory, root.containment);
      },
    };
  } catch (error) {
    target.close();
    await remove(directory, root.containment);
    throw error;
  }
}

/** As a workspace is removed: directories in it that may not be written to do not keep it from going. */
async function remove(directory: PrivateDirectory, containment: Containment): Promise<void> {
  try {
    const parent = new HostRoot(dirname(directory.path), containment);
    try {
      await removeTree(parent, joinPath(ROOT, basename(directory.path)));
    } finally {
      parent.close();
    }
  } catch {
    // What is left in the temporary folder harms nobody.
  }
  directory.remove();
}

function* copyInto(
  from: HostRoot,
  to: HostRoot,
  options: SnapshotStoreOptions,
): Generator<undefined, void, undefined> {
  const policy = capturePolicy(options);
  const walk = walkHost(from, new RevisionCache(), ROOT, {
    enter: (path) => !policy.excludes(path),
    crossMounts: false,
  });
  const directories = new CopiedDirectories(to);
  for (const entry of walk) {
    yield;
    const { path, kind } = entry;
    if (kind === "special" || policy.excludes(path)) continue;
    if (kind === "directory") directories.make(path, entry.stat());
    else
      to.inParent(path, (target, name) =>
        from.inParent(path, (source) => copyNode(from, source, target, name, kind)),
      );
  }
  // It does not outlive its process, so that it need not reach the disk.
  yield* directories.settle(false);
}

/** One that has gone or changed its kind since it was met is not missed. */
function copyNode(
  root: HostRoot,
  source: PinnedDirectory,
  target: PinnedDirectory,
  name: string,
  kind: "file" | "symlink",
): void {
  try {
    if (kind === "file") copyFile(root, source, target, name);
    else
      symlinkSync(readlinkSync(pathIn(source, name), { encoding: "buffer" }), pathIn(target, name));
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

/** Copies by the open descriptor: by name, a link put there meanwhile would be followed. */
function copyFile(
  root: HostRoot,
  source: PinnedDirectory,
  target: PinnedDirectory,
  name: string,
): void {
  const fd = root.openLeaf(source, name);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return;
    const path = pathIn(target, name);
    copyFileSync(`/proc/self/fd/${fd}`, path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    // As a mere place: its own permissions may not let us open it otherwise.
    const copy = openSync(path, O_PATH | constants.O_NOFOLLOW);
    try {
      // Without what would make it run as somebody else.
      chmodSync(`/proc/self/fd/${copy}`, stat.mode & 0o777);
    } finally {
      closeSync(copy);
    }
  } finally {
    closeSync(fd);
  }
}
