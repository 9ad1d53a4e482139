import type { FilesystemDriver } from "../driver/driver.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions, DeleteOptions } from "../protocol/filesystem.js";
import { whyMissing } from "./find-node.js";
import { failure, type Target, type Workspace } from "./workspace.js";
import { requireChangeable } from "./write-rules.js";

export async function deletePath(
  workspace: Workspace,
  target: Target,
  options: DeleteOptions,
): Promise<void> {
  const { driver, usage } = workspace;
  const { recursive = false, signal } = options;
  requireChangeable(workspace, target);
  if (target.path === "") throw failure(target, "EACCES", "the workspace root cannot be deleted");
  // A link itself is deleted; its target is never read.
  const stat = await driver.stat(target.path, options);
  if (stat === undefined) throw await whyMissing(workspace, target);
  if (stat.kind !== "directory") {
    if (target.namesDirectory) throw failure(target, "ENOTDIR");
    signal?.throwIfAborted();
    await driver.remove(target.path, options);
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
    signal?.throwIfAborted();
    await removeTree(driver, target.path, options);
  } finally {
    // A removal that fails half-way has also changed the count.
    usage.forget();
  }
}

export async function removeTree(
  driver: FilesystemDriver,
  path: VirtualPath,
  options: CallOptions = {},
): Promise<void> {
  const { accelerate } = driver;
  if (accelerate?.removeTree) return await accelerate.removeTree(path, options);
  for (const { name, kind } of await driver.list(path, options)) {
    options.signal?.throwIfAborted();
    const child = joinPath(path, name);
    await (kind === "directory"
      ? removeTree(driver, child, options)
      : driver.remove(child, options));
  }
  options.signal?.throwIfAborted();
  await driver.remove(path, options);
}
