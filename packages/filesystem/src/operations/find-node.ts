import type { DriverStat } from "../driver/driver.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { FilesystemError } from "../protocol/filesystem-error.js";
import { isPromise } from "../protocol/maybe-promise.js";
import { failure, type Target, type Workspace } from "./workspace.js";

export const LINK_REASON = "it is a symbolic link, or its path has one, and links are not followed";
const SPECIAL_REASON = "it is a FIFO, a socket or a device, and only regular files can be opened";

/** The problem of `a/b` if `a` is a file. */
export const NOT_ABOVE = "a part of its path is not a directory";

/** Describes the target. Fails if it does not exist or is a link. */
export async function requireNode(workspace: Workspace, target: Target): Promise<DriverStat> {
  const found = workspace.driver.stat(target.path, target.options);
  const stat = isPromise(found) ? await found : found;
  if (stat === undefined) throw await whyMissing(workspace, target);
  requireNamedKind(stat, target);
  return stat;
}

export async function requireFile(workspace: Workspace, target: Target): Promise<DriverStat> {
  const stat = await requireNode(workspace, target);
  requireFileKind(stat, target);
  return stat;
}

export async function requireDirectory(workspace: Workspace, target: Target): Promise<void> {
  const stat = await requireNode(workspace, target);
  if (stat.kind !== "directory") throw failure(target, "ENOTDIR");
}

/** Refuses a link, and a file that the caller named as a directory. */
export function requireNamedKind({ kind }: DriverStat, target: Target): void {
  if (kind === "symlink") throw failure(target, "EACCES", LINK_REASON);
  if (target.namesDirectory && kind !== "directory") throw failure(target, "ENOTDIR");
}

export function requireFileKind({ kind }: DriverStat, target: Target): void {
  if (kind === "directory") throw failure(target, "EISDIR");
  if (kind === "special") throw failure(target, "EACCES", SPECIAL_REASON);
}

/** Explains why a path is missing: its nearest existing ancestor may be a link or a file. */
export async function whyMissing(workspace: Workspace, target: Target): Promise<FilesystemError> {
  const ends = ancestorEnds(target.path);
  let found: DriverStat | undefined;
  // Every ancestor of an existing node exists, so a binary search finds the last one. It starts with the parent,
  // which is the most likely.
  for (
    let low = 0, high = ends.length, middle = high - 1;
    low < high;
    middle = (low + high) >>> 1
  ) {
    const ancestor = target.path.slice(0, ends[middle]) as VirtualPath;
    const stat = await workspace.driver.stat(ancestor, target.options);
    if (stat === undefined) high = middle;
    else low = middle + 1;
    found = stat ?? found;
  }
  if (found?.kind === "symlink") return failure(target, "EACCES", LINK_REASON);
  if (found !== undefined && found.kind !== "directory")
    return failure(target, "ENOTDIR", NOT_ABOVE);
  return failure(target, "ENOENT");
}

/** Where each ancestor of `path` ends in it, the root first. */
function ancestorEnds(path: VirtualPath): readonly number[] {
  const ends = path === "" ? [] : [0];
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1))
    ends.push(slash);
  return ends;
}
