import { closeSync, constants, futimesSync, lutimesSync, openSync, type Stats } from "node:fs";
import type { DriverAttributes } from "../../driver/driver.js";
import { type HostRoot, O_PATH } from "./host-root.js";
import type { PinnedDirectory } from "./pinned-directory.js";

/** Seconds as Node expects them. Half a microsecond more, because Node cuts the fraction. */
function secondsOf(modifiedAtMs: number): number {
  return (modifiedAtMs + 0.0005) / 1000;
}

/** Sets the time of the last change of an open file or directory. */
export function setTime(fd: number, modifiedAtMs: number): void {
  const seconds = secondsOf(modifiedAtMs);
  futimesSync(fd, seconds, seconds);
}

/** Sets the time of a link itself. `path` must lead through an open directory. */
export function setLinkTime(path: string | Buffer, modifiedAtMs: number): void {
  const seconds = secondsOf(modifiedAtMs);
  lutimesSync(path, seconds, seconds);
}

/** Sets attributes of the directory `leaf`, which is opened first, so that no link is followed. */
export function setDirectoryAttributes(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  { permissions, modifiedAtMs }: DriverAttributes,
): void {
  if (permissions !== undefined)
    root.setDirectoryMode(parent, leaf, (mode) => (mode & 0o7000) | permissions);
  if (modifiedAtMs === undefined) return;
  const { raceProof } = root.containment;
  const flags = (raceProof ? O_PATH : constants.O_RDONLY) | root.directoryFlags;
  const fd = openSync(parent.pathOf(leaf), flags);
  try {
    // The path through /proc leads to the open directory itself.
    if (raceProof) setLinkTime(`/proc/self/fd/${fd}/.`, modifiedAtMs);
    else setTime(fd, modifiedAtMs);
  } finally {
    closeSync(fd);
  }
}

/** The time of the last change in milliseconds. Rounded, because a time that was set may be a fraction less. */
export function timeOf({ mtimeMs }: Pick<Stats, "mtimeMs">): number {
  return Math.round(mtimeMs);
}
