import { chmodSync, closeSync, constants, fstatSync, mkdirSync, openSync } from "node:fs";
import type { PinnedDirectory } from "./containment.js";
import { errorCode, Refusal } from "./from-node-error.js";
import { describe, type HostRoot, O_PATH, pathIn } from "./host-root.js";

/** Makes a directory with permissions that owe nothing to the umask. One that is there already is fine, and left as it is. */
export function makeDirectory(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  permissions = 0o755,
): void {
  const path = pathIn(parent, leaf);
  try {
    mkdirSync(path, permissions);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    const existing = describe(parent, leaf);
    if (existing?.isSymbolicLink()) throw new Refusal("ELOOP");
    if (existing?.isDirectory()) return;
    throw error;
  }
  if (root.containment.raceProof) setMode(root, path, permissions);
}

/** Opens the place first: by name, a link put there meanwhile would have its target changed. */
function setMode({ containment }: HostRoot, path: string | Buffer, permissions: number): void {
  const flags = O_PATH | constants.O_DIRECTORY | containment.noFollowFlag;
  const fd = openSync(path, flags);
  try {
    const { mode } = fstatSync(fd);
    // What a directory takes over from its parent (the group's sticky bit) stays.
    if ((mode & 0o777) !== permissions)
      chmodSync(`/proc/self/fd/${fd}`, (mode & 0o7000) | permissions);
  } finally {
    closeSync(fd);
  }
}
