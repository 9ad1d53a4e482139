import { copyBytes, plainBytes } from "../content/bytes.js";
import type { ReadBytesOptions, ReadBytesResult } from "../protocol/filesystem.js";
import { findFile } from "./find-node.js";
import { pageOf } from "./page.js";
import { revisionOf } from "./revision.js";
import { failure, type Target, type Workspace } from "./workspace.js";

/** Larger files are read in parts, because `load` also decodes the text of the file. */
const MAX_LOADED_BYTES = 4 * 1024 * 1024;

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
  const page = { path: target.path, sizeBytes: stat.sizeBytes, offset, limit };
  const isSmall = offset === 0 && length === stat.sizeBytes && length <= MAX_LOADED_BYTES;
  // One read gives the bytes and the revision, which would otherwise be a second read.
  if (isSmall && stat.revision === undefined) {
    const whole = await driver.accelerate?.load?.(path, length, options);
    if (whole?.sizeBytes === length)
      return Object.freeze({
        ...page,
        content: copyBytes(whole.bytes()),
        truncated: false,
        revision: whole.revision,
      });
  }
  const content =
    length === 0 ? new Uint8Array() : plainBytes(await driver.read(path, offset, length, options));
  return Object.freeze({
    ...page,
    content,
    truncated: offset + content.length < stat.sizeBytes,
    revision: await revisionOf(driver, path, stat, options),
  });
}
