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
import { parentPath, ROOT, type VirtualPath } from "../../path/virtual-path.js";
import { HostRoot, O_PATH } from "../containment/host-root.js";
import { setLinkTime, timeOf } from "../containment/node-attributes.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { makePrivateDirectory, type PrivateDirectory } from "../containment/private-directory.js";
import { CopiedDirectories } from "../driver/copied-directories.js";
import { type HostDriver, hostDriver } from "../driver/host-driver.js";
import { refuseClosed, walkHost } from "../driver/host-walk.js";
import { RevisionCache } from "../driver/revision-cache.js";
import { fromStoreError } from "../git-store/from-store-error.js";
import { sliced } from "../git-store/sliced.js";
import { ABSENCES, errorCode, Refusal, tolerating } from "../process/from-node-error.js";
import { capturePolicy } from "../snapshots/capture-policy.js";
import type { SnapshotStoreOptions } from "../snapshots/store-parts.js";
import type { SnapshottingHostDriver, withSnapshots } from "./with-snapshots.js";

/**
 * Copies the current workspace to a private directory that is removed when the fork is closed.
 *
 * On filesystems with reflinks, both share the blocks of a file until one of them changes it. Permissions are
 * copied too. Files that the host's policy excludes and special files are not copied. A file or directory that
 * cannot be read fails the fork, because a copy without it would look complete.
 */
export async function forkWorkspace(
  root: HostRoot,
  options: SnapshotStoreOptions,
  open: typeof withSnapshots,
): Promise<SnapshottingHostDriver> {
  try {
    const directory = makePrivateDirectory("fork");
    try {
      return await openFork(directory, root, options, open);
    } catch (error) {
      await directory.remove();
      throw error;
    }
  } catch (error) {
    throw fromStoreError(error, "fork");
  }
}

async function openFork(
  directory: PrivateDirectory,
  root: HostRoot,
  options: SnapshotStoreOptions,
  open: typeof withSnapshots,
): Promise<SnapshottingHostDriver> {
  const target = new HostRoot(directory.path, root.containment);
  try {
    await sliced(copyInto(root, target, options), { root });
    const driver: HostDriver = hostDriver(target, {
      fsync: options.fsync,
      otherWriters: options.otherWriters,
    });
    const own = { ...options, storeDirectory: undefined, rootPath: undefined };
    const fork = await open(driver, target, own);
    return {
      ...fork,
      async close() {
        try {
          await fork.close();
        } finally {
          await directory.remove();
        }
      },
    };
  } catch (error) {
    target.close();
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
    onClosed: (path) => refuseClosed("fork", path),
  });
  const directories = new CopiedDirectories(to);
  for (const entry of walk) {
    yield;
    const { path, kind } = entry;
    if (kind === "special" || policy.excludes(path)) continue;
    try {
      if (kind === "directory") directories.make(path, entry.stat());
      else copyEntry(from, to, path, kind);
    } catch (error) {
      throw fromStoreError(error, "fork", path);
    }
  }
  // No fsync: a fork does not outlive its process.
  yield* directories.settle(false);
}

/** Copies one entry. Skips it if its directory was removed or swapped for a link since the walk listed it. */
function copyEntry(
  from: HostRoot,
  to: HostRoot,
  path: VirtualPath,
  kind: "file" | "symlink",
): void {
  const enter = () => from.enter(parentPath(path));
  const source = tolerating([...ABSENCES, "ELOOP"], enter, undefined);
  if (source === undefined) return;
  try {
    to.inParent(path, (target, name) => copyNode(from, source, target, name, kind));
  } finally {
    from.leave(source);
  }
}

/** How often the copy of a node is retried because its kind changed. */
const MAX_TRIES = 20;

/**
 * Copies a file or link. Skips it if it was removed or became a directory or a special file since the walk listed
 * it.
 */
function copyNode(
  root: HostRoot,
  source: PinnedDirectory,
  target: PinnedDirectory,
  name: string,
  kind: "file" | "symlink",
): void {
  let isLink = kind === "symlink";
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      if (isLink) copyLink(source, target, name);
      else copyFile(root, source, target, name);
      return;
    } catch (error) {
      const code = errorCode(error) ?? "";
      if ([...ABSENCES, "ENXIO", "ENODEV"].includes(code)) return;
      // A link replaced a file, or a file replaced a link.
      if (code !== (isLink ? "EINVAL" : "ELOOP")) throw error;
      isLink = !isLink;
    }
  }
  throw new Refusal("EUNSETTLED");
}

function copyLink(source: PinnedDirectory, target: PinnedDirectory, name: string): void {
  const stat = source.stat(name);
  symlinkSync(readlinkSync(source.pathOf(name), { encoding: "buffer" }), target.pathOf(name));
  if (stat !== undefined) setLinkTime(target.pathOf(name), timeOf(stat));
}

/** Copies through the open descriptor, because by name a link that another process put there would be followed. */
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
    const path = target.pathOf(name);
    copyFileSync(`/proc/self/fd/${fd}`, path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    // `O_PATH`, because the copy's own permissions may not allow opening it for reading.
    const copy = openSync(path, O_PATH | constants.O_NOFOLLOW);
    try {
      // Without the set-user-ID and set-group-ID bits.
      chmodSync(`/proc/self/fd/${copy}`, stat.mode & 0o777);
      // The name in the private directory of this process cannot be a link.
      setLinkTime(path, timeOf(stat));
    } finally {
      closeSync(copy);
    }
  } finally {
    closeSync(fd);
  }
}
