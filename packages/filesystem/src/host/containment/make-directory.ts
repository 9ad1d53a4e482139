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

/** Makes a directory with these permissions, whatever the umask is. A directory that exists already is left as it is. */
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
  // The bits that a directory inherits from its parent, such as set-group-ID, stay.
  if (root.containment.raceProof)
    setDirectoryMode(root, parent, leaf, (mode) => (mode & 0o7000) | permissions);
}

/**
 * Gives the directory at `leaf` the mode that `modeFor` makes of its current one, and changes nothing else.
 *
 * The directory is opened first: by name, the target of a link that was put there would be changed.
 */
export function setDirectoryMode(
  { containment }: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  modeFor: (current: number) => number,
): void {
  // Without /proc the directory must be readable to be opened.
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
