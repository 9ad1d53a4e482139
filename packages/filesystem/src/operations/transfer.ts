import { TimeSlices } from "../content/time-slices.js";
import type { DriverStat, FilesystemDriver } from "../driver/driver.js";
import { isWithin, joinPath, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions, NodeKind, TransferOptions } from "../protocol/filesystem.js";
import { isPromise } from "../protocol/maybe-promise.js";
import { visitEntries } from "../search/walk/visit-entries.js";
import { removeTree } from "./delete-path.js";
import { LINK_REASON, requireFileKind, requireNode } from "./find-node.js";
import { missingParents, withParents } from "./make-directory.js";
import type { Growth } from "./usage-keeper.js";
import { walkTree } from "./walk-tree.js";
import { failure, type Target, type Workspace } from "./workspace.js";
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
  const { driver } = workspace;
  const size = await sizeOf(driver, from.path, plan.source, isCopied, options);
  const freed = replaced ? await sizeOf(driver, to.path, replaced, isRemoved, options) : NOTHING;
  const growth = {
    bytes: size.bytes - freed.bytes,
    nodes: size.nodes - freed.nodes + plan.missing.length,
  };
  await workspace.usage.requireRoom(to, growth, size.largestFileBytes);
  await withParents(workspace, to, plan.missing, () =>
    replaceBy(workspace, to, replaced, () =>
      copyTree(driver, from.path, to.path, plan, replaced ? {} : options),
    ),
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
  const { accelerate } = driver;
  await usage.requireRoom(
    to,
    { bytes: 0, nodes: plan.missing.length - (plan.replaced ? 1 : 0) },
    0,
  );
  await withParents(workspace, to, plan.missing, () =>
    replaceBy(workspace, to, plan.replaced, async () =>
      accelerate?.rename
        ? accelerate.rename(from.path, to.path, options)
        : copyTree(driver, from.path, to.path, plan, {}),
    ),
  );
  if (!accelerate?.rename) await removeMoved(workspace, from, plan);
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
    // The replaced node may already be deleted.
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
    await (source.kind === "directory" ? removeTree(driver, path) : driver.remove(path, {}));
  } catch (error) {
    usage.forget();
    throw error;
  }
}

interface Plan {
  readonly source: DriverStat;
  /** The node at the target that is replaced. */
  readonly replaced: DriverStat | undefined;
  readonly missing: readonly VirtualPath[];
}

/** Checks both paths. Returns `undefined` when they are the same and there is nothing to do. */
async function planTransfer(
  workspace: Workspace,
  from: Target,
  to: Target,
  { overwrite = false, createParents = true, signal }: TransferOptions,
): Promise<Plan | undefined> {
  requireChangeable(workspace, to);
  const source = await requireNode(workspace, from);
  if (source.kind === "special") requireFileKind(source, from);
  if (from.path === "")
    throw failure(from, "EACCES", "the workspace root cannot be copied or moved");
  if (to.path === "") throw failure(to, "EACCES", "the workspace root cannot be replaced");
  if (source.kind === "directory" && from.path !== to.path && isWithin(to.path, from.path))
    throw failure(to, "EINVAL", "a directory cannot be copied or moved into itself");
  const replaced = await workspace.driver.stat(to.path, to.options);
  if (replaced === undefined) {
    if (to.namesDirectory && source.kind !== "directory") throw failure(to, "ENOTDIR");
    await requireCreatableTree(workspace, from, to, source, signal);
    return { source, replaced, missing: await missingParents(workspace, to, createParents) };
  }
  requireReplaceable(to, source, replaced, overwrite);
  if (from.path === to.path) return undefined;
  if (isWithin(from.path, to.path))
    throw failure(to, "EINVAL", "a directory cannot be replaced by its own content");
  await requireCreatableTree(workspace, from, to, source, signal);
  return { source, replaced, missing: [] };
}

function requireReplaceable(
  to: Target,
  source: DriverStat,
  replaced: DriverStat,
  overwrite: boolean,
): void {
  if (replaced.kind === "symlink") throw failure(to, "EACCES", LINK_REASON);
  if (!overwrite) throw failure(to, "EEXIST", "the target exists", "Set overwrite to replace it.");
  if (replaced.kind === "directory" && source.kind !== "directory") throw failure(to, "EISDIR");
  if (replaced.kind !== "directory" && source.kind === "directory") throw failure(to, "ENOTDIR");
  if (replaced.kind !== "directory" && to.namesDirectory) throw failure(to, "ENOTDIR");
  if (replaced.kind === "special") requireFileKind(replaced, to);
}

/** A moved tree may become too deep, and a copy must not create a nested `.git`. */
async function requireCreatableTree(
  workspace: Workspace,
  from: Target,
  to: Target,
  source: DriverStat,
  signal: AbortSignal | undefined,
): Promise<void> {
  requireCreatable(workspace, to, to.path);
  if (source.kind !== "directory") return;
  const entries = walkTree(workspace.driver, from.path, () => true, { signal });
  await visitEntries(entries, new TimeSlices(signal), ({ path }) => {
    const landing = `${to.path}${path.slice(from.path.length)}` as VirtualPath;
    requireCreatable(workspace, to, landing);
    requireNoGit(workspace, to, landing);
    return undefined;
  });
}

interface TreeSize extends Growth {
  readonly largestFileBytes: number;
}

const NOTHING: TreeSize = { bytes: 0, nodes: 0, largestFileBytes: 0 };

async function sizeOf(
  driver: FilesystemDriver,
  path: VirtualPath,
  stat: DriverStat,
  counts: (kind: NodeKind) => boolean,
  options: CallOptions,
): Promise<TreeSize> {
  if (stat.kind !== "directory")
    return { bytes: stat.sizeBytes, nodes: 1, largestFileBytes: stat.sizeBytes };
  let bytes = 0;
  let nodes = 1;
  let largestFileBytes = 0;
  const entries = walkTree(driver, path, () => true, options);
  await visitEntries(entries, new TimeSlices(options.signal), ({ path: below, kind }) => {
    if (counts(kind)) nodes++;
    if (kind !== "file") return undefined;
    const found = driver.stat(below, options);
    return isPromise(found) ? found.then(add) : add(found);
  });
  return { bytes, nodes, largestFileBytes };

  function add(found: DriverStat | undefined): undefined {
    const sizeBytes = found?.sizeBytes ?? 0;
    bytes += sizeBytes;
    largestFileBytes = Math.max(largestFileBytes, sizeBytes);
  }
}

/** Copying a directory skips the links and special files in it; removing it removes them too. */
const isCopied = (kind: NodeKind) => kind === "file" || kind === "directory";
const isRemoved = () => true;

const COPY_CHUNK_BYTES = 1024 * 1024;

/**
 * If a copy fails or is aborted half-way, its parts are removed, unless it replaces something. A copy that replaces
 * something cannot be aborted: pass no signal.
 */
async function copyTree(
  driver: FilesystemDriver,
  from: VirtualPath,
  to: VirtualPath,
  { source, replaced }: Plan,
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

/** Skips links and special files inside a directory, because they have no content to copy. */
async function copyNode(
  driver: FilesystemDriver,
  from: VirtualPath,
  to: VirtualPath,
  { kind, sizeBytes, mode = 0o644 }: DriverStat,
  options: CallOptions,
): Promise<void> {
  const { signal } = options;
  signal?.throwIfAborted();
  if (kind === "file") {
    const executable = (mode & 0o100) !== 0;
    const first = await driver.read(from, 0, Math.min(sizeBytes, COPY_CHUNK_BYTES), options);
    await driver.write(to, first, "overwrite", { executable, signal });
    for (let offset = first.length; offset < sizeBytes; offset += COPY_CHUNK_BYTES) {
      signal?.throwIfAborted();
      const next = await driver.read(from, offset, COPY_CHUNK_BYTES, options);
      signal?.throwIfAborted();
      await driver.write(to, next, "append", { signal });
    }
    return;
  }
  await driver.mkdir(to, { signal });
  for (const { name } of await driver.list(from, options)) {
    const child = joinPath(from, name);
    const stat = await driver.stat(child, options);
    if (stat?.kind === "file" || stat?.kind === "directory")
      await copyNode(driver, child, joinPath(to, name), stat, options);
  }
}
