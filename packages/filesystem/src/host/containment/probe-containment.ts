import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VirtualPath } from "../../path/virtual-path.js";
import { errorCode } from "../process/from-node-error.js";
import type { Containment } from "./containment.js";
import { HostRoot } from "./host-root.js";

const proven = new WeakSet<Containment>();

/**
 * Tests once per process that links are refused here.
 *
 * Returns what is missing, or `undefined` if the containment works.
 */
export function probeContainment(containment: Containment): string | undefined {
  if (proven.has(containment)) return undefined;
  const place = mkdtempSync(join(realpathSync(tmpdir()), "wink-probe-"));
  try {
    const missing = probeIn(place, containment);
    if (missing === undefined) proven.add(containment);
    return missing;
  } finally {
    for (const name of ["inside/to-file", "inside/to-directory", "outside/file"])
      attempt(() => unlinkSync(join(place, name)));
    for (const name of ["inside/plain", "inside", "outside", "."])
      attempt(() => rmdirSync(join(place, name)));
  }
}

function probeIn(place: string, containment: Containment): string | undefined {
  for (const name of ["inside", "outside", "inside/plain"]) mkdirSync(join(place, name), 0o700);
  writeFileSync(join(place, "outside/file"), "");
  symlinkSync("../outside", join(place, "inside/to-directory"));
  symlinkSync("../outside/file", join(place, "inside/to-file"));
  const root = new HostRoot(join(place, "inside"), containment);
  try {
    const reaches = attempt(() => root.leave(root.enter("plain" as VirtualPath)));
    if (reaches !== undefined) return `${containment.name} cannot be used (${reaches})`;
    const entered = attempt(() => root.leave(root.enter("to-directory" as VirtualPath)));
    const opened = attempt(() => closeSync(root.openLeaf(root.directory, "to-file")));
    if (entered === undefined || opened === undefined)
      return `symbolic links are followed despite ${containment.name}`;
    return undefined;
  } finally {
    root.close();
  }
}

/** Returns the error's code, or `undefined` if `body` succeeded. */
function attempt(body: () => void): string | undefined {
  try {
    body();
    return undefined;
  } catch (error) {
    return errorCode(error) ?? "unknown";
  }
}
