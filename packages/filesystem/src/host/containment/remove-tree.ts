import { closeSync, constants, openSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { DriverEntry } from "../../driver/driver.js";
import { shownName } from "../../path/host-name.js";
import { joinPath, ROOT, type VirtualPath } from "../../path/virtual-path.js";
import { requireHostPath } from "../process/check-arguments.js";
import { fromNodeError, isAbsence } from "../process/from-node-error.js";
import { TimeSlice } from "../process/time-slice.js";
import { type Containment, plainPathContainment, platformContainment } from "./containment.js";
import { HostRoot } from "./host-root.js";
import { Removal } from "./removal.js";

export interface RemoveTreeOptions {
  /** Stops the removal at its next pause. Entries removed by then stay removed. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** Removes a directory below `root` with all its content. */
export async function removeTree(
  root: HostRoot,
  path: VirtualPath,
  { signal }: RemoveTreeOptions = {},
): Promise<void> {
  await finish(root, Removal.at(root, path), signal);
}

/**
 * Removes entries of `root` itself, each with all its content. An entry that cannot be removed does not stop the
 * others.
 */
export async function removeEntries(
  root: HostRoot,
  entries: readonly DriverEntry[],
): Promise<void> {
  await finish(root, new Removal(root, root.directory, entries), undefined);
}

/**
 * Removes the directory at a host path with all its content. A missing path counts as removed.
 *
 * Safe if other processes write to the directory: the removal works on open directories and follows no link in it.
 * Directories above it are trusted. Pass bytes for a path that is not UTF-8. Rejects with a `FilesystemError`.
 */
export async function removeHostTree(
  path: string | Buffer,
  containment?: Containment,
): Promise<void> {
  requireHostPath(path, "removeHostTree");
  try {
    const parent = openParent(path, containment);
    await removeTree(parent, nameOf(path)).finally(() => parent.close());
  } catch (error) {
    if (!isAbsence(error)) throw fromNodeError(error, "removeHostTree", nameOf(path));
  }
}

/** Does the same synchronously, for a process that is exiting. */
export function removeHostTreeNow(path: string, containment?: Containment): void {
  requireHostPath(path, "removeHostTreeNow");
  try {
    const parent = openParent(path, containment);
    const removal = Removal.at(parent, nameOf(path));
    try {
      while (removal.step());
    } finally {
      removal.close();
      parent.close();
    }
  } catch (error) {
    if (!isAbsence(error)) throw fromNodeError(error, "removeHostTreeNow", nameOf(path));
  }
}

async function finish(
  root: HostRoot,
  removal: Removal,
  signal: AbortSignal | undefined,
): Promise<void> {
  const slice = new TimeSlice(signal);
  try {
    while (removal.step()) {
      if (!slice.due) continue;
      await slice.rest();
      root.requireOpen();
    }
  } finally {
    removal.close();
  }
}

function openParent(
  path: string | Buffer,
  containment = platformContainment() ?? plainPathContainment,
): HostRoot {
  if (typeof path === "string") return new HostRoot(realpathSync(dirname(path)), containment);
  return openParentByBytes(path, containment);
}

/** `HostRoot` takes a string, so a directory whose name is not UTF-8 is opened through its descriptor. */
function openParentByBytes(path: Buffer, containment: Containment): HostRoot {
  const fd = openSync(path.subarray(0, path.lastIndexOf("/")), constants.O_DIRECTORY);
  try {
    return new HostRoot(`/proc/self/fd/${fd}/.`, containment);
  } finally {
    closeSync(fd);
  }
}

function nameOf(path: string | Buffer): VirtualPath {
  const bytes = typeof path === "string" ? Buffer.from(path) : path;
  return joinPath(ROOT, shownName(bytes.subarray(bytes.lastIndexOf("/") + 1)));
}
