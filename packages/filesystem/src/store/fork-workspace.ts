import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  openSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import type { PinnedDirectory } from "../host/containment.js";
import { isAbsence } from "../host/from-node-error.js";
import { type HostDriver, hostDriver } from "../host/host-driver.js";
import { HostRoot, pathIn } from "../host/host-root.js";
import { walkHost } from "../host/host-walk.js";
import { makeDirectory } from "../host/make-directory.js";
import { RevisionCache } from "../host/revision-cache.js";
import { ROOT } from "../virtual-path.js";
import { capturePolicy } from "./capture-policy.js";
import { makePrivateDirectory } from "./private-directory.js";
import { sliced } from "./sliced.js";
import type { SnapshotStoreOptions } from "./store-parts.js";
import type { SnapshottingHostDriver, withSnapshots } from "./with-snapshots.js";

/**
 * A copy of the workspace as it is now, in a private directory that goes when it is closed.
 *
 * Where the filesystem can, the two share the blocks of a file until one of them changes it.
 * What the host's policy excludes is not in it, nor are special files.
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
        directory.remove();
      },
    };
  } catch (error) {
    target.close();
    directory.remove();
    throw error;
  }
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
  for (const { path, kind } of walk) {
    yield;
    if (kind === "special" || policy.excludes(path)) continue;
    to.inParent(path, (target, name) => {
      if (kind === "directory") makeDirectory(to, target, name);
      else from.inParent(path, (source) => copyNode(from, source, target, name, kind));
    });
  }
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
    const copy = openSync(path, "r");
    try {
      fchmodSync(copy, (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
    } finally {
      closeSync(copy);
    }
  } finally {
    closeSync(fd);
  }
}
