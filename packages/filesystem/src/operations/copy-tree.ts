import type { DriverAttributes, DriverStat, FilesystemDriver } from "../driver/driver.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions } from "../protocol/filesystem.js";
import { removeTree } from "./delete-path.js";

const COPY_CHUNK_BYTES = 1024 * 1024;

/** The copied nodes, and the nodes that they replace. */
export interface CopiedNodes {
  readonly source: DriverStat;
  readonly replaced: DriverStat | undefined;
}

/**
 * Copies a node with its contents and attributes. If a copy fails or is aborted half-way, its parts are removed, unless it
 * replaces something. A copy that replaces something cannot be aborted: pass no signal.
 */
export async function copyTree(
  driver: FilesystemDriver,
  from: VirtualPath,
  to: VirtualPath,
  { source, replaced }: CopiedNodes,
  options: CallOptions,
): Promise<void> {
  const { accelerate } = driver;
  if (accelerate?.clone) return await accelerate.clone(from, to, options);
  try {
    await copyNode(driver, from, to, source, options);
  } catch (error) {
    if (replaced === undefined) await removeQuietly(driver, to);
    throw error;
  }
}

async function removeQuietly(driver: FilesystemDriver, path: VirtualPath): Promise<void> {
  try {
    const stat = await driver.stat(path, {});
    if (stat?.kind === "directory") await removeTree(driver, path);
    else if (stat !== undefined) await driver.remove(path, {});
  } catch {
    // The caller reports the original error.
  }
}

/** Skips special files, because they have no content to copy. */
async function copyNode(
  driver: FilesystemDriver,
  from: VirtualPath,
  to: VirtualPath,
  source: DriverStat,
  options: CallOptions,
): Promise<void> {
  const { signal } = options;
  signal?.throwIfAborted();
  const attributes = attributesOf(driver, source);
  if (source.kind === "directory") {
    await driver.mkdir(to, { signal });
    for (const { name } of await driver.list(from, options)) {
      const child = joinPath(from, name);
      const stat = await driver.stat(child, options);
      if (stat !== undefined && stat.kind !== "special")
        await copyNode(driver, child, joinPath(to, name), stat, options);
    }
    // Last, because adding a node changes the time of its directory.
    if (Object.keys(attributes).length > 0) await driver.mkdir(to, { ...attributes, signal });
    return;
  }
  const { sizeBytes } = source;
  const first = await driver.read(from, 0, Math.min(sizeBytes, COPY_CHUNK_BYTES), options);
  signal?.throwIfAborted();
  if (source.kind === "symlink") {
    // The node that is replaced may be a file, which some backends cannot turn into a link.
    if ((await driver.stat(to, options)) !== undefined) await driver.remove(to, { signal });
    await driver.write(to, first, "create", { ...attributes, kind: "symlink", signal });
    return;
  }
  const executable = ((source.mode ?? 0) & 0o100) !== 0;
  if ((await driver.stat(to, options))?.kind === "symlink") await driver.remove(to, { signal });
  await driver.write(to, first, "overwrite", { ...attributes, executable, signal });
  for (let offset = first.length; offset < sizeBytes; offset += COPY_CHUNK_BYTES) {
    const next = await driver.read(from, offset, COPY_CHUNK_BYTES, options);
    signal?.throwIfAborted();
    await driver.write(to, next, "append", { ...attributes, signal });
  }
}

/** The attributes of a node that the driver stores. */
function attributesOf(driver: FilesystemDriver, stat: DriverStat): DriverAttributes {
  const { stores = [] } = driver;
  const { mode: permissions, modifiedAtMs } = stat;
  return {
    ...(stores.includes("modes") && permissions !== undefined && { permissions }),
    ...(stores.includes("times") && modifiedAtMs !== undefined && { modifiedAtMs }),
  };
}
