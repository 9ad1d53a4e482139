import type { DriverStat } from "../driver/driver.js";
import { ROOT, type VirtualPath } from "../path/virtual-path.js";
import type { FilesystemError } from "../protocol/filesystem-error.js";
import { isPromise } from "../protocol/maybe-promise.js";
import { resolveLinks } from "./resolve-links.js";
import { failure, type Target, type Workspace } from "./workspace.js";

export const LINK_REASON = "it is a symbolic link, or its path has one, and this call follows none";
const SPECIAL_REASON = "it is a FIFO, a socket or a device, and only regular files can be opened";

/** The problem of `a/b` if `a` is a file. */
export const NOT_ABOVE = "a part of its path is not a directory";

/** A node and its path without links. */
export interface FoundNode {
  readonly path: VirtualPath;
  readonly stat: DriverStat;
}

/** Finds the target. Follows links that stay inside the workspace. */
export async function findNode(workspace: Workspace, target: Target): Promise<FoundNode> {
  const found = workspace.driver.stat(target.path, target.options);
  const stat = isPromise(found) ? await found : found;
  if (stat !== undefined && stat.kind !== "symlink") {
    requireNamedKind(stat, target);
    return { path: target.path, stat };
  }
  if (stat === undefined) {
    const missing = await nearestAncestor(workspace, target);
    if (missing?.kind !== "symlink") throw missingBelow(missing, target);
  }
  if (!workspace.driver.stores?.includes("links")) throw failure(target, "EACCES", LINK_REASON);
  const resolved = await resolveLinks(workspace, target);
  requireNamedKind(resolved.stat, target);
  return resolved;
}

/** Describes the target. Fails if it does not exist or is a link. */
export async function requireNode(workspace: Workspace, target: Target): Promise<DriverStat> {
  const found = workspace.driver.stat(target.path, target.options);
  const stat = isPromise(found) ? await found : found;
  if (stat === undefined) throw await whyMissing(workspace, target);
  requireNamedKind(stat, target);
  return stat;
}

/** Finds a file. Follows links that stay inside the workspace. */
export async function findFile(workspace: Workspace, target: Target): Promise<FoundNode> {
  const found = await findNode(workspace, target);
  requireFileKind(found.stat, target);
  return found;
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
  return missingBelow(await nearestAncestor(workspace, target), target);
}

function missingBelow(ancestor: DriverStat | undefined, target: Target): FilesystemError {
  if (ancestor?.kind === "symlink") return failure(target, "EACCES", LINK_REASON);
  if (ancestor !== undefined && ancestor.kind !== "directory")
    return failure(target, "ENOTDIR", NOT_ABOVE);
  return failure(target, "ENOENT");
}

async function nearestAncestor(
  workspace: Workspace,
  target: Target,
): Promise<DriverStat | undefined> {
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
  return found;
}

/** Where each ancestor of `path` ends in it, the root first. */
function ancestorEnds(path: VirtualPath): readonly number[] {
  const ends = path === ROOT ? [] : [0];
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1))
    ends.push(slash);
  return ends;
}
