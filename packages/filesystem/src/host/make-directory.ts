import { chmodSync, closeSync, constants, fstatSync, mkdirSync, openSync } from "node:fs";
import type { PinnedDirectory } from "./containment.js";
import { errorCode, Refusal } from "./from-node-error.js";
import { describe, type HostRoot, O_PATH, pathIn } from "./host-root.js";

const MODE = 0o755;

/** Makes a directory with a mode that owes nothing to the umask. One that is there already is fine, and left as it is. */
export function makeDirectory(root: HostRoot, parent: PinnedDirectory, leaf: string): void {
  const path = pathIn(parent, leaf);
  try {
    mkdirSync(path, MODE);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    const existing = describe(parent, leaf);
    if (existing?.isSymbolicLink()) throw new Refusal("ELOOP");
    if (existing?.isDirectory()) return;
    throw error;
  }
  if (root.containment.raceProof) setMode(root, path);
}

/** Opens the place first: by name, a link put there meanwhile would have its target changed. */
function setMode({ containment }: HostRoot, path: string | Buffer): void {
  const flags = O_PATH | constants.O_DIRECTORY | containment.noFollowFlag;
  const fd = openSync(path, flags);
  try {
    const { mode } = fstatSync(fd);
    // What a directory takes over from its parent (the group's sticky bit) stays.
    if ((mode & 0o777) !== MODE) chmodSync(`/proc/self/fd/${fd}`, (mode & 0o7000) | MODE);
  } finally {
    closeSync(fd);
  }
}
