import { fstatSync, readFileSync, readlinkSync } from "node:fs";
import type { PinnedDirectory } from "./containment.js";
import type { HostRoot } from "./host-root.js";

/** Tells whether an open directory belongs to another filesystem than the root. */
export type MountGuard = (directory: PinnedDirectory) => boolean;

/**
 * Finds out whether something else is mounted below the root.
 *
 * A directory that is bound from elsewhere on the same disk has the same device number, and a subvolume
 * of the same mount has another one. So on Linux the mounts are compared. That costs a file read for each
 * directory; where nothing was mounted below the root at the start, only another device leads to it.
 */
export function mountGuard(root: HostRoot): MountGuard {
  const isOnOtherDevice = byDevice(root);
  if (!root.containment.raceProof) return isOnOtherDevice;
  const hasMounts = hasMountsBelow(readlinkSync(root.directory.prefix.slice(0, -1), BYTEWISE));
  const own = mountOf(root.directory);
  return (directory) => (hasMounts || isOnOtherDevice(directory)) && mountOf(directory) !== own;
}

/** One character for each byte: a path need not be UTF-8 to be compared. */
const BYTEWISE = "latin1";

function byDevice({ directory }: HostRoot): MountGuard {
  const { dev } = fstatSync(directory.fd);
  return ({ fd }) => fstatSync(fd).dev !== dev;
}

function hasMountsBelow(path: string): boolean {
  const prefix = path === "/" ? "/" : `${path}/`;
  const lines = readFileSync("/proc/self/mountinfo", BYTEWISE).split("\n");
  return lines.some((line) => unescapeOctal(line.split(" ")[4] ?? "").startsWith(prefix));
}

/** Blanks and the like are written as `\040` there. */
function unescapeOctal(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function mountOf({ fd }: PinnedDirectory): string | undefined {
  return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1];
}
