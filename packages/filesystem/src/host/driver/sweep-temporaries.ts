import { existsSync, unlinkSync } from "node:fs";
import { relative } from "node:path";
import { TEMPORARY_PREFIX } from "../../path/temporary-prefix.js";
import { baseName, ROOT, type VirtualPath } from "../../path/virtual-path.js";
import type { HostRoot } from "../containment/host-root.js";
import { removeTree } from "../containment/remove-tree.js";
import { placeOf } from "../containment/temporary-claims.js";
import { keyOf, type RegistryFile, readRegistry } from "../containment/temporary-registry.js";
import { errorCode, isAbsence } from "../process/from-node-error.js";
import { TimeSlice } from "../process/time-slice.js";
import { walkHost } from "./host-walk.js";
import { RevisionCache } from "./revision-cache.js";

/**
 * Removes the temporary files that dead processes left in the workspace. Only files that the registry names are
 * removed, because any other file with such a name belongs to the user.
 */
export async function sweepTemporaries(root: HostRoot): Promise<void> {
  const place = placeOf(root.directory);
  const dead = readRegistry(root.path).filter(({ isAlive }) => !isAlive);
  const keys = new Set(
    dead
      .filter((file) => file.root === place || overlaps(file, root))
      .flatMap(({ inUse, left }) => [...inUse, ...left]),
  );
  if (keys.size > 0) await removeRegistered(root, keys);
  for (const file of dead)
    if (file.root === place || isEmpty(file) || isDeleted(file)) forget(file);
}

/** Whether a file of one workspace can be in the other one, so that a walk is needed to find it. */
function overlaps({ rootPath }: RegistryFile, { path }: HostRoot): boolean {
  return rootPath !== undefined && (isBelow(rootPath, path) || isBelow(path, rootPath));
}

function isBelow(path: string, directory: string): boolean {
  return !relative(directory, path).startsWith("..");
}

/** Whether the workspace was deleted, with the temporary files in it. */
function isDeleted({ rootPath }: RegistryFile): boolean {
  return rootPath === undefined || !existsSync(rootPath);
}

function isEmpty({ inUse, left }: RegistryFile): boolean {
  return inUse.length === 0 && left.length === 0;
}

function forget({ path }: RegistryFile): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process removed it first.
  }
}

async function removeRegistered(root: HostRoot, keys: ReadonlySet<string>): Promise<void> {
  const isLeft = (path: VirtualPath) =>
    baseName(path).startsWith(TEMPORARY_PREFIX) &&
    keys.has(root.inParent(path, (parent, name) => keyOf(placeOf(parent), name)));
  const found: VirtualPath[] = [];
  const slice = new TimeSlice();
  const options = { enter: () => true, crossMounts: false };
  for (const { path } of walkHost(root, new RevisionCache(), ROOT, options)) {
    if (tolerating(() => isLeft(path))) found.push(path);
    if (slice.due) await slice.rest();
  }
  for (const path of found) await removeIfPermitted(root, path);
}

/** A directory that was removed or replaced since the walk listed it contains no temporary files of WINK. */
function tolerating(body: () => boolean): boolean {
  try {
    return body();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

/** A file that cannot be removed stays, and the workspace still opens. */
async function removeIfPermitted(root: HostRoot, path: VirtualPath): Promise<void> {
  try {
    await removeTree(root, path);
  } catch (error) {
    const isRefused = ["EACCES", "EPERM", "EROFS", "EMOUNT"].includes(errorCode(error) ?? "");
    if (!isRefused && !isAbsence(error)) throw error;
  }
}
