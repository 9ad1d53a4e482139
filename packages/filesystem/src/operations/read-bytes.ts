import { plainBytes } from "../content/bytes.js";
import type { ReadBytesOptions, ReadBytesResult } from "../protocol/filesystem.js";
import { findFile } from "./find-node.js";
import { pageOf } from "./page.js";
import { revisionOf } from "./revision.js";
import { failure, type Target, type Workspace } from "./workspace.js";

export async function readBytes(
  workspace: Workspace,
  target: Target,
  options: ReadBytesOptions,
): Promise<ReadBytesResult> {
  const { driver, limits } = workspace;
  const { offset, limit } = pageOf(target, options, limits.maxReadBytes, limits.maxReadBytes);
  const { path, stat } = await findFile(workspace, target);
  const left = Math.max(0, stat.sizeBytes - offset);
  // A caller without a limit wants the rest of the file, and would not notice that a part is missing.
  if (options.limit === undefined && left > limit)
    throw failure(
      target,
      "EFBIG",
      `it has ${left} bytes to read, and one call reads at most ${limit}`,
      "Pass a limit to read a part, or use openRead.",
    );
  const length = Math.min(limit, left);
  const content =
    length === 0 ? new Uint8Array() : plainBytes(await driver.read(path, offset, length, options));
  return Object.freeze({
    path: target.path,
    content,
    sizeBytes: stat.sizeBytes,
    offset,
    limit,
    truncated: offset + content.length < stat.sizeBytes,
    revision: await revisionOf(driver, path, stat, options),
  });
}
