import { TimeSlices } from "../content/time-slices.js";
import type { DriverStat, FilesystemDriver } from "../driver/driver.js";
import { isWithin, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions, NodeKind, TransferOptions } from "../protocol/filesystem.js";
import { isPromise } from "../protocol/maybe-promise.js";
import { visitEntries } from "../search/walk/visit-entries.js";
import { copyTree } from "./copy-tree.js";
import { removeTree } from "./delete-path.js";
import { requireFileKind, requireNode } from "./find-node.js";
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
  const source = await requireSource(workspace, from);
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

/** A link itself is copied or moved. */
async function requireSource(workspace: Workspace, from: Target): Promise<DriverStat> {
  const { driver } = workspace;
  const stat = await driver.stat(from.path, from.options);
  const isLink = stat?.kind === "symlink" && driver.stores?.includes("links");
  if (isLink && !from.namesDirectory) return stat;
  const source = await requireNode(workspace, from);
  if (source.kind === "special") requireFileKind(source, from);
  return source;
}

function requireReplaceable(
  to: Target,
  source: DriverStat,
  replaced: DriverStat,
  overwrite: boolean,
): void {
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
  if (stat.kind !== "directory") return sizeOfLeaf(stat);
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

function sizeOfLeaf({ kind, sizeBytes }: DriverStat): TreeSize {
  const bytes = kind === "file" ? sizeBytes : 0;
  return { bytes, nodes: 1, largestFileBytes: bytes };
}

/** Copying a directory skips the special files in it; removing it removes them too. */
const isCopied = (kind: NodeKind) => kind !== "special";
const isRemoved = () => true;
