import { concatBytes } from "../content/bytes.js";
import type { DriverStat, NewRevision } from "../driver/driver.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { WriteMode, WriteOptions, WriteResult } from "../protocol/filesystem.js";
import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";
import { requireFileKind, requireNamedKind } from "./find-node.js";
import { requireSize } from "./incoming.js";
import { missingParents, withParents } from "./make-directory.js";
import { revisionOf } from "./revision.js";
import type { Growth } from "./usage-keeper.js";
import { failure, type Target, type Workspace } from "./workspace.js";
import { requireCreatable } from "./write-rules.js";
import { keptBytes, tellsRevisions, writtenRevision } from "./written-revision.js";

const encoder = new TextEncoder();

/** Content to be written. */
export interface Incoming {
  readonly content: string | Uint8Array;
  /** Its length in UTF-8. */
  readonly sizeBytes: number;
}

/** Synchronous if the driver is and the file exists, which is the most frequent case. */
export function writeFile(
  workspace: Workspace,
  target: Target,
  incoming: Incoming,
  options: WriteOptions,
): MaybePromise<WriteResult> {
  const { driver } = workspace;
  const stat = driver.stat(target.path, options);
  if (
    stat === undefined ||
    isPromise(stat) ||
    options.ifRevision !== undefined ||
    !tellsRevisions(driver, stat)
  )
    return writeInSteps(workspace, target, incoming, options, stat);
  requireWritable(workspace, target, stat, options);
  const place = { before: stat.sizeBytes, missing: undefined };
  return putInPlace(workspace, target, incoming, options, place);
}

async function writeInSteps(
  workspace: Workspace,
  target: Target,
  incoming: Incoming,
  options: WriteOptions,
  found: MaybePromise<DriverStat | undefined>,
): Promise<WriteResult> {
  const stat = isPromise(found) ? await found : found;
  const checked = requireWritable(workspace, target, stat, options);
  if (isPromise(checked)) await checked;
  const missing = stat
    ? undefined
    : await missingParents(workspace, target, options.createParents ?? true);
  const kept =
    options.mode === "append"
      ? await keptBytes(workspace.driver, target.path, options.mode, stat, options)
      : undefined;
  const place = { before: stat?.sizeBytes ?? 0, missing, kept };
  return await putInPlace(workspace, target, incoming, options, place);
}

/** The state of the target before the write. */
interface Place {
  /** The size of the file before the write. */
  readonly before: number;
  /** The parent directories to create; `undefined` when the file exists. */
  readonly missing: readonly VirtualPath[] | undefined;
  /** The old content, if it is needed to compute the revision. */
  readonly kept?: Uint8Array | undefined;
}

function putInPlace(
  workspace: Workspace,
  target: Target,
  incoming: Incoming,
  options: WriteOptions,
  { before, missing, kept }: Place,
): MaybePromise<WriteResult> {
  const { mode = "overwrite" } = options;
  const after = mode === "append" ? before + incoming.sizeBytes : incoming.sizeBytes;
  if (mode === "append") requireSize(workspace, target, after);
  const growth = { bytes: after - before, nodes: missing ? missing.length + 1 : 0 };
  const room = workspace.usage.requireRoom(target, growth, after);
  const revision =
    room || missing?.length
      ? putWithParents(workspace, target, incoming, options, missing ?? [], room)
      : put(workspace, target, incoming, options);
  if (typeof revision !== "string")
    return describeLater(workspace, target, incoming, mode, growth, revision, kept);
  workspace.usage.grew(growth);
  return describe(target, incoming, mode, revision);
}

async function putWithParents(
  workspace: Workspace,
  target: Target,
  incoming: Incoming,
  options: WriteOptions,
  missing: readonly VirtualPath[],
  room: MaybePromise<void>,
): Promise<NewRevision> {
  await room;
  return await withParents(workspace, target, missing, async () =>
    put(workspace, target, incoming, options),
  );
}

/** Passes the content to the driver, which may return the new revision. */
function put(
  { driver }: Workspace,
  { path }: Target,
  { content, sizeBytes }: Incoming,
  options: WriteOptions,
): MaybePromise<NewRevision> {
  const { mode = "overwrite", signal } = options;
  signal?.throwIfAborted();
  if (typeof content !== "string") return driver.write(path, content, mode, options);
  return driver.accelerate?.writeText
    ? driver.accelerate.writeText(path, content, sizeBytes, mode, options)
    : driver.write(path, encoder.encode(content), mode, { ...options, isOwned: true });
}

async function describeLater(
  workspace: Workspace,
  target: Target,
  incoming: Incoming,
  mode: WriteMode,
  growth: Growth,
  written: MaybePromise<NewRevision>,
  kept: Uint8Array | undefined,
): Promise<WriteResult> {
  const returned = await written;
  workspace.usage.grew(growth);
  const bytes = () => concatBytes(kept ? [kept, bytesOf(incoming)] : [bytesOf(incoming)]);
  const revision = await writtenRevision(
    workspace.driver,
    target.path,
    returned,
    bytes,
    target.options,
  );
  return describe(target, incoming, mode, revision);
}

function bytesOf({ content }: Incoming): Uint8Array {
  return typeof content === "string" ? encoder.encode(content) : content;
}

function describe(
  { path }: Target,
  { sizeBytes: bytesWritten }: Incoming,
  mode: WriteMode,
  revision: string,
): WriteResult {
  return Object.freeze({ path, bytesWritten, mode, revision });
}

/**
 * Checks the target before a write. A stream checks when it is opened and again when it is closed. The caller has already
 * called `requireChangeable`.
 */
export function requireWritable(
  workspace: Workspace,
  target: Target,
  stat: DriverStat | undefined,
  options: WriteOptions,
): MaybePromise<void> {
  const { mode, ifRevision } = options;
  if (stat === undefined) {
    if (target.path === "" || target.namesDirectory) throw failure(target, "EISDIR");
    if (ifRevision !== undefined)
      throw failure(target, "ESTALE", "it has been deleted since it was read");
    requireCreatable(workspace, target, target.path);
    return;
  }
  if (mode === "create" && stat.kind !== "directory" && !target.namesDirectory)
    throw failure(target, "EEXIST");
  requireNamedKind(stat, target);
  requireFileKind(stat, target);
  if (ifRevision !== undefined) return requireRevision(workspace, target, stat, ifRevision);
}

async function requireRevision(
  { driver }: Workspace,
  target: Target,
  stat: DriverStat,
  expected: string,
): Promise<void> {
  const revision = await revisionOf(driver, target.path, stat, target.options);
  if (revision !== expected) throw failure(target, "ESTALE");
}

export async function currentRevision(workspace: Workspace, target: Target): Promise<string> {
  const stat = await workspace.driver.stat(target.path, target.options);
  if (stat === undefined) throw failure(target, "ENOENT");
  return await revisionOf(workspace.driver, target.path, stat, target.options);
}
