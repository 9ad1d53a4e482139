import type { DriverStat, NewRevision } from "../driver.js";
import type { WriteMode, WriteOptions, WriteResult } from "../filesystem.js";
import { isPromise, type MaybePromise } from "../maybe-promise.js";
import { requireFileKind, requireNamedKind } from "./find-node.js";
import { requireSize } from "./incoming.js";
import { missingParents, withParents } from "./make-directory.js";
import { revisionOf } from "./revision.js";
import { failure, type Target } from "./target.js";
import type { Workspace } from "./workspace.js";
import { requireChangeable, requireCreatable } from "./write-rules.js";

/** Bytes on their way into a file, in whichever form they came. */
export interface Incoming {
  readonly sizeBytes: number;
  /** Hands them to the driver, which may answer with the new revision. */
  readonly put: (
    workspace: Workspace,
    target: Target,
    mode: WriteMode,
  ) => MaybePromise<NewRevision>;
}

export async function writeFile(
  workspace: Workspace,
  target: Target,
  incoming: Incoming,
  options: WriteOptions,
): Promise<WriteResult> {
  const { mode = "overwrite" } = options;
  const found = workspace.driver.stat(target.path);
  const stat = isPromise(found) ? await found : found;
  const writable = requireWritable(workspace, target, stat, options);
  if (isPromise(writable)) await writable;
  const before = stat?.sizeBytes ?? 0;
  const after = mode === "append" ? before + incoming.sizeBytes : incoming.sizeBytes;
  if (mode === "append") requireSize(workspace, target, after);
  const missing = stat
    ? []
    : await missingParents(workspace, target, options.createParents ?? true);
  const growth = { bytes: after - before, nodes: missing.length + (stat ? 0 : 1) };
  const room = workspace.usage.requireRoom(target, growth, after);
  if (isPromise(room)) await room;
  const put = () => incoming.put(workspace, target, mode);
  const given = missing.length > 0 ? withParents(workspace, missing, put) : put();
  const revision = isPromise(given) ? await given : given;
  workspace.usage.grew(growth);
  return Object.freeze({
    path: target.path,
    bytesWritten: incoming.sizeBytes,
    mode,
    revision: revision ?? (await currentRevision(workspace, target)),
  });
}

/** What must hold of the target before anything is written: for a stream, when it is opened and when it is closed. */
export function requireWritable(
  workspace: Workspace,
  target: Target,
  stat: DriverStat | undefined,
  options: WriteOptions,
): MaybePromise<void> {
  const { mode, ifRevision } = options;
  requireChangeable(workspace, target);
  if (stat === undefined) {
    if (target.path === "" || target.namesDirectory) throw failure(target, "EISDIR");
    if (ifRevision !== undefined)
      throw failure(target, "ESTALE", "file has been deleted since it was read");
    requireCreatable(workspace, target, target.path);
    return;
  }
  requireNamedKind(stat, target);
  requireFileKind(stat, target);
  if (mode === "create") throw failure(target, "EEXIST");
  if (ifRevision !== undefined) return requireRevision(workspace, target, stat, ifRevision);
}

async function requireRevision(
  { driver }: Workspace,
  target: Target,
  stat: DriverStat,
  expected: string,
): Promise<void> {
  const revision = await revisionOf(driver, target.path, stat);
  if (revision !== expected) throw failure(target, "ESTALE");
}

export async function currentRevision(workspace: Workspace, target: Target): Promise<string> {
  const stat = await workspace.driver.stat(target.path);
  if (stat === undefined) throw failure(target, "ENOENT");
  return await revisionOf(workspace.driver, target.path, stat);
}
