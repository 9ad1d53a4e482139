import type { DriverStat } from "../driver/driver.js";
import type { FileStat, StatOptions } from "../protocol/filesystem.js";
import { isFilesystemError } from "../protocol/filesystem-error.js";
import { isPromise } from "../protocol/maybe-promise.js";
import { type FoundNode, findNode } from "./find-node.js";
import { revisionOf } from "./revision.js";
import type { Target, Workspace } from "./workspace.js";

export async function describeNode(
  workspace: Workspace,
  target: Target,
  { followLinks = true }: StatOptions,
): Promise<FileStat> {
  const { driver } = workspace;
  const { path, stat } = followLinks
    ? await findNode(workspace, target)
    : await findLink(workspace, target);
  const { kind, sizeBytes, createdAtMs, modifiedAtMs } = stat;
  return Object.freeze({
    path: target.path,
    kind,
    isFile: kind === "file",
    isDirectory: kind === "directory",
    sizeBytes: kind === "file" || kind === "symlink" ? sizeBytes : 0,
    mode: modeOf(stat),
    identity: path,
    createdAt: isoTime(createdAtMs),
    modifiedAt: isoTime(modifiedAtMs),
    revision: kind === "file" ? await revisionOf(driver, path, stat, target.options) : undefined,
  });
}

/** Describes the target itself. Only links in the directories of its path are followed. */
async function findLink(workspace: Workspace, target: Target): Promise<FoundNode> {
  const stat = await workspace.driver.stat(target.path, target.options);
  if (stat?.kind === "symlink" && !target.namesDirectory) return { path: target.path, stat };
  return await findNode(workspace, target);
}

/** Whether the target exists. A link counts if it leads to something inside the workspace. */
export async function nodeExists(workspace: Workspace, target: Target): Promise<boolean> {
  const found = workspace.driver.stat(target.path, target.options);
  const stat = isPromise(found) ? await found : found;
  if (stat !== undefined && stat.kind !== "symlink")
    return !target.namesDirectory || stat.kind === "directory";
  try {
    await findNode(workspace, target);
    return true;
  } catch (error) {
    if (isFilesystemError(error) && ABSENCES.includes(error.code)) return false;
    throw error;
  }
}

const ABSENCES: readonly string[] = ["ENOENT", "ENOTDIR", "EACCES"];

export function modeOf({ kind, mode }: Pick<DriverStat, "kind" | "mode">): number {
  return mode ?? (kind === "directory" ? 0o755 : kind === "symlink" ? 0o777 : 0o644);
}

export function isoTime(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}
