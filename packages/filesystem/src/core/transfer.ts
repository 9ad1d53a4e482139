import type { DriverStat, FilesystemDriver } from "../driver.js";
import type { TransferOptions } from "../filesystem.js";
import { isWithin, joinPath, type VirtualPath } from "../virtual-path.js";
import { removeTree } from "./delete-path.js";
import { LINK_REASON, requireFileKind, requireNode } from "./find-node.js";
import { missingParents, withParents } from "./make-directory.js";
import { failure, type Target } from "./target.js";
import type { Growth } from "./usage-keeper.js";
import { walkTree } from "./walk-tree.js";
import type { Workspace } from "./workspace.js";
import { requireChangeable, requireCreatable, requireNoGit } from "./write-rules.js";

export async function copyPath(
  workspace: Workspace,
  from: Target,
  to: Target,
  options: TransferOptions,
): Promise<void> {
  const plan = await planTransfer(workspace, from, to, options);
  if (plan === undefined) return;
  const { replaced } = plan;
  const size = await sizeOf(workspace.driver, from.path, plan.source);
  const freed = replaced ? await sizeOf(workspace.driver, to.path, replaced) : NOTHING;
  const growth = {
    bytes: size.bytes - freed.bytes,
    nodes: size.nodes - freed.nodes + plan.missing.length,
  };
  await workspace.usage.requireRoom(to, growth, size.largestFileBytes);
  await withParents(workspace, plan.missing, () =>
    replaceBy(workspace, to, replaced, () => copyTree(workspace.driver, from.path, to.path, plan)),
  );
  workspace.usage.grew(growth);
}

export async function movePath(
  workspace: Workspace,
  from: Target,
  to: Target,
  options: TransferOptions,
): Promise<void> {
  requireChangeable(workspace, from);
  const plan = await planTransfer(workspace, from, to, options);
  if (plan === undefined) return;
  const { driver, usage } = workspace;
  await usage.requireRoom(
    to,
    { bytes: 0, nodes: plan.missing.length - (plan.replaced ? 1 : 0) },
    0,
  );
  await withParents(workspace, plan.missing, () =>
    replaceBy(workspace, to, plan.replaced, async () =>
      driver.rename
        ? driver.rename(from.path, to.path)
        : copyTree(driver, from.path, to.path, plan),
    ),
  );
  if (!driver.rename) await removeMoved(workspace, from, plan);
  if (plan.replaced) usage.forget();
  else usage.grew({ bytes: 0, nodes: plan.missing.length });
}

async function replaceBy(
  { driver, usage }: Workspace,
  to: Target,
  replaced: DriverStat | undefined,
  put: () => Promise<void>,
): Promise<void> {
  try {
    if (replaced?.kind === "directory") await removeTree(driver, to.path);
    await put();
  } catch (error) {
    // What was to go may be gone already.
    usage.forget();
    throw error;
  }
}

async function removeMoved(
  { driver, usage }: Workspace,
  { path }: Target,
  { source }: Plan,
): Promise<void> {
  try {
    await (source.kind === "directory" ? removeTree(driver, path) : driver.remove(path));
  } catch (error) {
    usage.forget();
    throw error;
  }
}

interface Plan {
  readonly source: DriverStat;
  /** What stands at the target and is to go. */
  readonly replaced: DriverStat | undefined;
  readonly missing: readonly VirtualPath[];
}

/** Checks both ends. Answers `undefined` when there is nothing to do: a path onto itself. */
async function planTransfer(
  workspace: Workspace,
  from: Target,
  to: Target,
  { overwrite = false, createParents = true }: TransferOptions,
): Promise<Plan | undefined> {
  requireChangeable(workspace, to);
  const source = await requireNode(workspace, from);
  if (source.kind === "special") requireFileKind(source, from);
  if (from.path === "")
    throw failure(from, "EACCES", "the workspace root cannot be copied or moved");
  if (to.path === "") throw failure(to, "EACCES", "the workspace root cannot be replaced");
  if (source.kind === "directory" && from.path !== to.path && isWithin(to.path, from.path))
    throw failure(to, "EINVAL", "a directory cannot go into itself");
  const replaced = await workspace.driver.stat(to.path);
  if (replaced === undefined) {
    if (to.namesDirectory && source.kind !== "directory") throw failure(to, "ENOTDIR");
    await requireCreatableTree(workspace, from, to, source);
    return { source, replaced, missing: await missingParents(workspace, to, createParents) };
  }
  requireReplaceable(to, source, replaced, overwrite);
  if (from.path === to.path) return undefined;
  if (isWithin(from.path, to.path))
    throw failure(to, "EINVAL", "a directory cannot be replaced by a part of itself");
  await requireCreatableTree(workspace, from, to, source);
  return { source, replaced, missing: [] };
}

function requireReplaceable(
  to: Target,
  source: DriverStat,
  replaced: DriverStat,
  overwrite: boolean,
): void {
  if (replaced.kind === "symlink") throw failure(to, "EACCES", LINK_REASON);
  if (!overwrite) throw failure(to, "EEXIST", "target exists; set overwrite to replace it");
  if (replaced.kind === "directory" && source.kind !== "directory") throw failure(to, "EISDIR");
  if (replaced.kind !== "directory" && source.kind === "directory") throw failure(to, "ENOTDIR");
  if (replaced.kind !== "directory" && to.namesDirectory) throw failure(to, "ENOTDIR");
  if (replaced.kind === "special") requireFileKind(replaced, to);
}

/** A tree that moves may become too deep, and a nested `.git` must not be planted by way of a copy. */
async function requireCreatableTree(
  workspace: Workspace,
  from: Target,
  to: Target,
  source: DriverStat,
): Promise<void> {
  requireCreatable(workspace, to, to.path);
  if (source.kind !== "directory") return;
  for await (const { path } of walkTree(workspace.driver, from.path, () => true)) {
    const landing = `${to.path}${path.slice(from.path.length)}` as VirtualPath;
    requireCreatable(workspace, to, landing);
    requireNoGit(workspace, to, landing);
  }
}

interface TreeSize extends Growth {
  readonly largestFileBytes: number;
}

const NOTHING: TreeSize = { bytes: 0, nodes: 0, largestFileBytes: 0 };

async function sizeOf(
  driver: FilesystemDriver,
  path: VirtualPath,
  stat: DriverStat,
): Promise<TreeSize> {
  if (stat.kind !== "directory")
    return { bytes: stat.sizeBytes, nodes: 1, largestFileBytes: stat.sizeBytes };
  let bytes = 0;
  let nodes = 1;
  let largestFileBytes = 0;
  for await (const entry of walkTree(driver, path, () => true)) {
    nodes++;
    if (entry.kind !== "file") continue;
    const sizeBytes = (await driver.stat(entry.path))?.sizeBytes ?? 0;
    bytes += sizeBytes;
    largestFileBytes = Math.max(largestFileBytes, sizeBytes);
  }
  return { bytes, nodes, largestFileBytes };
}

const COPY_CHUNK_BYTES = 1024 * 1024;

/** When a copy by pieces fails half-way, no half of it stays where nothing was. */
async function copyTree(
  driver: FilesystemDriver,
  from: VirtualPath,
  to: VirtualPath,
  { source, replaced }: Plan,
): Promise<void> {
  if (driver.clone) return await driver.clone(from, to);
  try {
    await copyNode(driver, from, to, source);
  } catch (error) {
    if (replaced === undefined) await removeQuietly(driver, to);
    throw error;
  }
}

async function removeQuietly(driver: FilesystemDriver, path: VirtualPath): Promise<void> {
  try {
    const stat = await driver.stat(path);
    if (stat?.kind === "directory") await removeTree(driver, path);
    else if (stat !== undefined) await driver.remove(path);
  } catch {
    // The failure that led here is the one to report.
  }
}

/** Links and special files inside a copied directory stay behind: what they are cannot be carried by content. */
async function copyNode(
  driver: FilesystemDriver,
  from: VirtualPath,
  to: VirtualPath,
  { kind, sizeBytes, mode = 0o644 }: DriverStat,
): Promise<void> {
  if (kind === "file") {
    const executable = (mode & 0o100) !== 0;
    const first = await driver.read(from, 0, Math.min(sizeBytes, COPY_CHUNK_BYTES));
    await driver.write(to, first, "overwrite", { executable });
    for (let offset = first.length; offset < sizeBytes; offset += COPY_CHUNK_BYTES)
      await driver.write(to, await driver.read(from, offset, COPY_CHUNK_BYTES), "append");
    return;
  }
  await driver.mkdir(to);
  for (const { name } of await driver.list(from)) {
    const child = joinPath(from, name);
    const stat = await driver.stat(child);
    if (stat?.kind === "file" || stat?.kind === "directory")
      await copyNode(driver, child, joinPath(to, name), stat);
  }
}
