import { fstatSync, readFileSync, readlinkSync } from "node:fs";
import type { VirtualPath } from "../../path/virtual-path.js";
import { tolerating } from "../process/from-node-error.js";
import type { HostRoot } from "./host-root.js";
import type { PinnedDirectory } from "./pinned-directory.js";

/** Returns whether an open directory belongs to another mount than the root. */
export type MountGuard = (directory: PinnedDirectory) => boolean;

/**
 * Detects mounts below the root.
 *
 * A bind mount from the same disk has the same device number, and a subvolume of the same mount has another one. So
 * on Linux the mount IDs are compared, which costs one file read per directory. If nothing was mounted below the
 * root at the start, the mount ID is read only for a directory on another device.
 */
export function mountGuard(root: HostRoot): MountGuard {
  const isOnOtherDevice = byDevice(root);
  if (!root.containment.raceProof) return isOnOtherDevice;
  const hasMounts = mountsIn(root.directory).some((path) => path !== "");
  const own = mountOf(root.directory);
  return (directory) => (hasMounts || isOnOtherDevice(directory)) && mountOf(directory) !== own;
}

/** One character per byte, so that paths that are not UTF-8 can be compared. */
const BYTEWISE = "latin1";

function byDevice({ directory }: HostRoot): MountGuard {
  const { dev } = fstatSync(directory.fd);
  return ({ fd }) => fstatSync(fd).dev !== dev;
}

/** Whether another filesystem is mounted at or below `path`. Then `path` must not be moved. */
export function hasMountsBelow(root: HostRoot, path: VirtualPath): boolean {
  // Without /proc nothing is known about mounts.
  const find = (directory: PinnedDirectory) =>
    tolerating(["ENOENT"], () => mountsIn(directory), []);
  return root.inDirectory(path, find).length > 0;
}

/** The paths of all mounts at or below an open directory, relative to it. */
function mountsIn({ fd }: PinnedDirectory): readonly string[] {
  const place = readlinkSync(`/proc/self/fd/${fd}`, BYTEWISE);
  const prefix = place === "/" ? "/" : `${place}/`;
  const lines = readFileSync("/proc/self/mountinfo", BYTEWISE).split("\n");
  return lines.flatMap((line) => {
    const path = unescapeOctal(line.split(" ")[4] ?? "");
    if (path === place) return [""];
    return path.startsWith(prefix) ? [path.slice(prefix.length)] : [];
  });
}

/** The kernel writes spaces and control characters as octal escapes such as `\040`. */
function unescapeOctal(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function mountOf({ fd }: PinnedDirectory): string | undefined {
  return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1];
}
