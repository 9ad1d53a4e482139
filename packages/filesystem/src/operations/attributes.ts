import type { DriverAttributes } from "../driver/driver.js";
import { requireNode } from "./find-node.js";
import { failure, type Target, type Workspace } from "./workspace.js";
import { requireChangeable } from "./write-rules.js";

const MAX_MODE = 0o777;
/** The largest time that every filesystem in use can store: it is in the year 2106. */
const MAX_TIME_MS = 0xffff_ffff * 1000;
const NOTHING = new Uint8Array();

export async function changeMode(
  workspace: Workspace,
  target: Target,
  mode: number,
): Promise<void> {
  if (!Number.isInteger(mode) || mode < 0 || mode > MAX_MODE)
    throw failure(target, "EINVAL", "the mode must be a whole number from 0 to 0o777");
  await setAttributes(workspace, target, "modes", { permissions: mode });
}

export async function changeTime(
  workspace: Workspace,
  target: Target,
  modifiedAt: Date | string,
): Promise<void> {
  const isTime = modifiedAt instanceof Date || typeof modifiedAt === "string";
  const modifiedAtMs = isTime ? new Date(modifiedAt).getTime() : Number.NaN;
  if (!(modifiedAtMs >= 0 && modifiedAtMs <= MAX_TIME_MS))
    throw failure(
      target,
      "EINVAL",
      "the time must be a Date or an ISO 8601 text from 1970 to 2106",
    );
  await setAttributes(workspace, target, "times", { modifiedAtMs });
}

async function setAttributes(
  workspace: Workspace,
  target: Target,
  kind: "modes" | "times",
  attributes: DriverAttributes,
): Promise<void> {
  const { driver } = workspace;
  const { signal } = target.options;
  requireChangeable(workspace, target);
  if (target.path === "") throw failure(target, "EACCES", "the workspace root cannot be changed");
  const stat = await requireNode(workspace, target);
  if (stat.kind === "special")
    throw failure(target, "EACCES", "it is a FIFO, a socket or a device");
  if (!driver.stores?.includes(kind))
    throw failure(target, "EINVAL", `this backend does not store ${kind}`);
  signal?.throwIfAborted();
  if (stat.kind === "directory") {
    const { permissions } = attributes;
    // A directory that its owner cannot enter could be neither searched nor restored.
    const own = permissions === undefined ? attributes : { permissions: permissions | 0o700 };
    await driver.mkdir(target.path, { ...own, signal });
  } else await driver.write(target.path, NOTHING, "append", { ...attributes, signal });
}
