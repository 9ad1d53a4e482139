import type { FilesystemDriver } from "../driver/driver.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import type { DeleteOptions } from "../protocol/filesystem.js";
import { whyMissing } from "./find-node.js";
import { failure, type Target, type Workspace } from "./workspace.js";
import { requireChangeable } from "./write-rules.js";

export async function deletePath(
  workspace: Workspace,
  target: Target,
  { recursive = false, signal }: DeleteOptions,
): Promise<void> {
  const { driver, usage } = workspace;
  requireChangeable(workspace, target);
  if (target.path === "") throw failure(target, "EACCES", "the workspace root cannot be deleted");
  // A link itself is deleted; its target is never read.
  const stat = await driver.stat(target.path);
  if (stat === undefined) throw await whyMissing(workspace, target);
  if (stat.kind !== "directory") {
    if (target.namesDirectory) throw failure(target, "ENOTDIR");
    await driver.remove(target.path);
    usage.grew({ bytes: -(stat.kind === "file" ? stat.sizeBytes : 0), nodes: -1 });
    return;
  }
  if (!recursive)
    throw failure(
      target,
      "EISDIR",
      "it is a directory",
      "Set recursive to delete it with its content.",
    );
  try {
    await removeTree(driver, target.path, signal);
  } finally {
    // A removal that fails half-way has also changed the count.
    usage.forget();
  }
}

export async function removeTree(
  driver: FilesystemDriver,
  path: VirtualPath,
  signal?: AbortSignal,
): Promise<void> {
  if (driver.removeTree) return await driver.removeTree(path, { signal });
  for (const { name, kind } of await driver.list(path)) {
    signal?.throwIfAborted();
    const child = joinPath(path, name);
    await (kind === "directory" ? removeTree(driver, child, signal) : driver.remove(child));
  }
  await driver.remove(path);
}
