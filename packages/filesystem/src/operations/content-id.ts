import { findFile } from "./find-node.js";
import { hex, sha256 } from "./revision.js";
import { failure, type Target, type Workspace } from "./workspace.js";

/** The SHA-256 of a file's bytes. */
export async function contentIdOf(workspace: Workspace, target: Target): Promise<string> {
  const { driver, limits } = workspace;
  const { path, stat } = await findFile(workspace, target);
  const { sizeBytes } = stat;
  if (sizeBytes > limits.maxReadFileBytes)
    throw failure(
      target,
      "EFBIG",
      `the file has ${sizeBytes} bytes, and contentId takes at most ${limits.maxReadFileBytes}`,
      "Hash the chunks of openRead.",
    );
  const known = driver.accelerate?.contentId?.(path, target.options);
  if (known !== undefined) return await known;
  return hex(await sha256(await driver.read(path, 0, sizeBytes, target.options)));
}
