import { plainBytes } from "../content/bytes.js";
import type { ReadBytesOptions, ReadBytesResult } from "../protocol/filesystem.js";
import { requireFile } from "./find-node.js";
import { pageOf } from "./page.js";
import { revisionOf } from "./revision.js";
import type { Target, Workspace } from "./workspace.js";

export async function readBytes(
  workspace: Workspace,
  target: Target,
  options: ReadBytesOptions,
): Promise<ReadBytesResult> {
  const { driver, limits } = workspace;
  const { offset, limit } = pageOf(target, options, limits.maxReadBytes, limits.maxReadBytes);
  const stat = await requireFile(workspace, target);
  const length = Math.max(0, Math.min(limit, stat.sizeBytes - offset));
  const content =
    length === 0
      ? new Uint8Array()
      : plainBytes(await driver.read(target.path, offset, length, options));
  return Object.freeze({
    path: target.path,
    content,
    sizeBytes: stat.sizeBytes,
    offset,
    limit,
    truncated: offset + content.length < stat.sizeBytes,
    revision: await revisionOf(driver, target.path, stat, options),
  });
}
