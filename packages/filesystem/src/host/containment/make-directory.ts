import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
} from "node:fs";
import { errorCode, Refusal } from "../process/from-node-error.js";
import type { PinnedDirectory } from "./containment.js";
import { describe, type HostRoot, O_PATH, pathIn } from "./host-root.js";

/** Creates a directory with these permissions, independent of the umask. An existing directory is not changed. */
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
  // Keep the bits that a directory inherits from its parent, such as set-group-ID.
  if (root.containment.raceProof)
    setDirectoryMode(root, parent, leaf, (mode) => (mode & 0o7000) | permissions);
}

/**
 * Sets the mode of the directory `leaf` to the result of `modeFor`, which gets the current mode.
 *
 * The directory is opened first, because a chmod by name would change the target of a link.
 */
export function setDirectoryMode(
  { containment }: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  modeFor: (current: number) => number,
): void {
  // Without /proc, only a readable directory can be opened.
  const access = containment.raceProof ? O_PATH : constants.O_RDONLY;
  const flags = access | constants.O_DIRECTORY | containment.noFollowFlag;
  const fd = openSync(pathIn(parent, leaf), flags);
  try {
    const current = fstatSync(fd).mode & 0o7777;
    const wanted = modeFor(current);
    if (current === wanted) return;
    if (containment.raceProof) chmodSync(`/proc/self/fd/${fd}`, wanted);
    else fchmodSync(fd, wanted);
  } finally {
    closeSync(fd);
  }
}
