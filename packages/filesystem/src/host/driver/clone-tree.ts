import { fsyncSync, readlinkSync, renameSync } from "node:fs";
import type { DriverStat } from "../../driver/driver.js";
import { baseName, joinPath, parentPath, type VirtualPath } from "../../path/virtual-path.js";
import type { HostRoot } from "../containment/host-root.js";
import { driverStat } from "../containment/host-stat.js";
import { timeOf } from "../containment/node-attributes.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { removeTree } from "../containment/remove-tree.js";
import { claimTemporary } from "../containment/temporary-claims.js";
import { errorCode, fromNodeError, isAbsence, Refusal } from "../process/from-node-error.js";
import { TimeSlice } from "../process/time-slice.js";
import { CopiedDirectories } from "./copied-directories.js";
import { refuseClosed, walkHost } from "./host-walk.js";
import { RevisionCache } from "./revision-cache.js";
import { TemporaryFile } from "./temporary-file.js";
import { copyExisting } from "./write-file.js";
import { writeLink } from "./write-link.js";

export interface CloneOptions {
  readonly fsync: boolean;
  /** Cancels the copy and removes everything copied so far. @default none */
  readonly signal?: AbortSignal | undefined;
}

interface Cloning {
  readonly root: HostRoot;
  readonly fsync: boolean;
  readonly slice: TimeSlice;
}

/**
 * Copies a file, or a directory with all its content, to a path that does not exist or is a file or a link.
 *
 * A directory is copied to a hidden temporary directory and then renamed into place. Permissions and times are copied
 * too, so a copy never makes a private file readable to others. Links are copied as links. Special files are not copied.
 */
export async function cloneTree(
  root: HostRoot,
  from: VirtualPath,
  to: VirtualPath,
  { fsync, signal }: CloneOptions,
): Promise<void> {
  const cloning: Cloning = { root, fsync, slice: new TimeSlice(signal) };
  const source = root.inParent(from, (parent, leaf) => parent.stat(leaf));
  if (source?.isSymbolicLink()) return cloneLink(root, from, to);
  if (!source?.isDirectory()) {
    if (!(await cloneFile(cloning, from, to))) throw new Refusal("ENOENT");
    return;
  }

  const claim = root.inDirectory(parentPath(to), (parent) => claimTemporary(root, parent));
  const stage = joinPath(parentPath(to), claim.name);
  try {
    await fillStage(cloning, from, stage, driverStat(source));
    root.inParent(to, (parent, leaf) => {
      renameSync(parent.pathOf(baseName(stage)), parent.pathOf(leaf));
      if (fsync) fsyncSync(parent.fd);
    });
  } catch (error) {
    await removeTree(root, stage).catch(() => {});
    throw error;
  } finally {
    // Check by path, because the directory may have been moved.
    const isLeft = exists(root, stage);
    if (isLeft) claim.abandon();
    else claim.release();
  }
}

function exists(root: HostRoot, path: VirtualPath): boolean {
  try {
    return root.inParent(path, (parent, leaf) => parent.stat(leaf)) !== undefined;
  } catch (error) {
    // After any other error it may still be there, and must stay registered to be removed.
    return !isAbsence(error) && errorCode(error) !== "ELOOP";
  }
}

async function fillStage(
  cloning: Cloning,
  from: VirtualPath,
  stage: VirtualPath,
  source: DriverStat,
): Promise<void> {
  const { root, fsync, slice } = cloning;
  const directories = new CopiedDirectories(root);
  directories.make(stage, source);
  const everything = {
    enter: () => true,
    crossMounts: false,
    onClosed: (path: VirtualPath) => refuseClosed("copy", path),
  };
  for (const entry of walkHost(root, new RevisionCache(), from, everything)) {
    const target = `${stage}${entry.path.slice(from.length)}` as VirtualPath;
    if (entry.kind === "directory") directories.make(target, entry.stat());
    else if (entry.kind === "symlink") cloneLink(root, entry.path, target);
    // A file that was removed since the walk listed it is not copied.
    else if (entry.kind === "file")
      await cloneFile(cloning, entry.path, target).catch((error) => {
        throw fromNodeError(error, "copy", entry.path);
      });
    if (slice.due) await slice.rest();
  }
  await slice.finish(directories.settle(fsync));
}

/** A link that was removed since the walk listed it is not copied. */
function cloneLink(root: HostRoot, from: VirtualPath, to: VirtualPath): void {
  root.inParent(from, (source, name) => {
    const stat = source.stat(name);
    if (!stat?.isSymbolicLink()) return;
    const link = readlinkSync(source.pathOf(name), { encoding: "buffer" });
    const publish = { mode: "overwrite", modifiedAtMs: timeOf(stat) } as const;
    root.inParent(to, (target, newName) => writeLink(root, target, newName, link, publish));
  });
}

/** Copies one file through a temporary file next to the target. Returns whether the source existed. */
async function cloneFile(cloning: Cloning, from: VirtualPath, to: VirtualPath): Promise<boolean> {
  const { root } = cloning;
  const source = root.enter(parentPath(from));
  try {
    const target = root.enter(parentPath(to));
    try {
      return await cloneBetween(cloning, source, baseName(from), target, baseName(to));
    } finally {
      root.leave(target);
    }
  } finally {
    root.leave(source);
  }
}

async function cloneBetween(
  { root, fsync, slice }: Cloning,
  source: PinnedDirectory,
  name: string,
  target: PinnedDirectory,
  newName: string,
): Promise<boolean> {
  const file = new TemporaryFile(root, target);
  try {
    const copied = await slice.finish(copyExisting(root, source, name, file));
    if (copied === undefined) file.discard();
    else
      file.publish(newName, {
        mode: "overwrite",
        permissions: copied.mode & 0o777,
        modifiedAtMs: timeOf(copied),
        replacesLink: true,
        fsync,
      });
    return copied !== undefined;
  } catch (error) {
    file.discard();
    throw error;
  }
}
