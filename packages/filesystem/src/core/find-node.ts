import type { DriverStat } from "../driver.js";
import type { FilesystemError } from "../filesystem-error.js";
import { isPromise } from "../maybe-promise.js";
import { parentPath } from "../virtual-path.js";
import { failure, type Target } from "./target.js";
import type { Workspace } from "./workspace.js";

export const LINK_REASON = "path is or passes through a symbolic link, and links are not followed";
const SPECIAL_REASON = "path is a FIFO, a socket or a device, and only regular files are opened";

/** What is at the target, which must be there and must not be a link. */
export async function requireNode(workspace: Workspace, target: Target): Promise<DriverStat> {
  const found = workspace.driver.stat(target.path);
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

/** Finds out which part of a missing path is to blame. */
export async function whyMissing(workspace: Workspace, target: Target): Promise<FilesystemError> {
  for (let ancestor = target.path; ancestor !== ""; ) {
    ancestor = parentPath(ancestor);
    const stat = await workspace.driver.stat(ancestor);
    if (stat === undefined) continue;
    if (stat.kind === "symlink") return failure(target, "EACCES", LINK_REASON);
    if (stat.kind !== "directory") return failure(target, "ENOTDIR");
    break;
  }
  return failure(target, "ENOENT");
}
