import type { DriverStat, NewRevision } from "../driver.js";
import type { WriteMode, WriteOptions, WriteResult } from "../filesystem.js";
import { andThen, type MaybePromise } from "../maybe-promise.js";
import type { VirtualPath } from "../virtual-path.js";
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

/** Answers at once when the driver does and the file is there: that is what is written most. */
export function writeFile(
  workspace: Workspace,
  target: Target,
  incoming: Incoming,
  options: WriteOptions,
): MaybePromise<WriteResult> {
  return andThen(workspace.driver.stat(target.path), (stat) => {
    const writable = requireWritable(workspace, target, stat, options);
    const write = { workspace, target, incoming, options, before: stat?.sizeBytes ?? 0 };
    if (stat !== undefined) return andThen(writable, () => putInPlace(write, NOTHING, 0));
    return andThen(missingParents(workspace, target, options.createParents ?? true), (missing) =>
      putInPlace(write, missing, missing.length + 1),
    );
  });
}

interface Write {
  readonly workspace: Workspace;
  readonly target: Target;
  readonly incoming: Incoming;
  readonly options: WriteOptions;
  /** How many bytes the file had. */
  readonly before: number;
}

const NOTHING: readonly never[] = [];

function putInPlace(
  { workspace, target, incoming, options, before }: Write,
  missing: readonly VirtualPath[],
  nodes: number,
): MaybePromise<WriteResult> {
  const { mode = "overwrite" } = options;
  const after = mode === "append" ? before + incoming.sizeBytes : incoming.sizeBytes;
  if (mode === "append") requireSize(workspace, target, after);
  const growth = { bytes: after - before, nodes };
  const put = () => incoming.put(workspace, target, mode);
  const answer = (revision: string) =>
    Object.freeze({ path: target.path, bytesWritten: incoming.sizeBytes, mode, revision });
  return andThen(workspace.usage.requireRoom(target, growth, after), () =>
    andThen(missing.length > 0 ? withParents(workspace, missing, put) : put(), (revision) => {
      workspace.usage.grew(growth);
      return andThen(revision ?? currentRevision(workspace, target), answer);
    }),
  );
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
