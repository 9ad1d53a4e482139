import type { FileStat } from "../protocol/filesystem.js";
import { isPromise } from "../protocol/maybe-promise.js";
import { requireNode } from "./find-node.js";
import { revisionOf } from "./revision.js";
import type { Target, Workspace } from "./workspace.js";

export async function describeNode(workspace: Workspace, target: Target): Promise<FileStat> {
  const { driver } = workspace;
  const stat = await requireNode(workspace, target);
  const { kind, sizeBytes, createdAtMs, modifiedAtMs } = stat;
  return Object.freeze({
    path: target.path,
    kind,
    isFile: kind === "file",
    isDirectory: kind === "directory",
    sizeBytes: kind === "file" ? sizeBytes : 0,
    mode: stat.mode ?? (kind === "directory" ? 0o755 : 0o644),
    createdAt: isoTime(createdAtMs),
    modifiedAt: isoTime(modifiedAtMs),
    revision:
      kind === "file" ? await revisionOf(driver, target.path, stat, target.options) : undefined,
  });
}

/** Whether the target exists and is not a link. */
export async function nodeExists(workspace: Workspace, target: Target): Promise<boolean> {
  const found = workspace.driver.stat(target.path, target.options);
  const stat = isPromise(found) ? await found : found;
  if (stat === undefined || stat.kind === "symlink") return false;
  return !target.namesDirectory || stat.kind === "directory";
}

function isoTime(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}
