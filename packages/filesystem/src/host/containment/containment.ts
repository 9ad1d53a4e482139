import { constants, readlinkSync } from "node:fs";

/** How a platform addresses the children of an open directory. */
export interface Containment {
  readonly name: string;
  /** Whether concurrent changes to the tree can never redirect a call outside of it. */
  readonly raceProof: boolean;
  /** The flag for `open` that refuses a symbolic link. */
  readonly noFollowFlag: number;
  /** The path prefix for the children of a directory that was opened as `path`. */
  prefix(fd: number, path: string): string;
}

/**
 * Linux. The kernel resolves `/proc/self/fd/7` to the directory that is open as descriptor 7, even after it was
 * moved. So only the last segment is looked up by name.
 */
export const procContainment: Containment = {
  name: "/proc/self/fd",
  raceProof: true,
  noFollowFlag: constants.O_NOFOLLOW,
  prefix: (fd) => `${OWN_DESCRIPTORS}/${fd}/`,
};

/**
 * The descriptors of this process in `/proc`. The PID instead of `self` saves resolving a link on every open.
 * `self` is used if `/proc` belongs to another PID namespace.
 */
const OWN_DESCRIPTORS = `/proc/${ownNumber() ?? "self"}/fd`;

function ownNumber(): string | undefined {
  try {
    const number = readlinkSync("/proc/self");
    return number === String(process.pid) ? number : undefined;
  } catch {
    return undefined;
  }
}

const O_NOFOLLOW_ANY = 0x2000_0000;

/**
 * macOS. `O_NOFOLLOW_ANY` refuses a link anywhere in a path, but only `open` supports it. If another process swaps
 * a parent for a link at the right moment, a rename or an unlink can still act outside of the tree. Safe only if no
 * other process changes the tree.
 */
export const plainPathContainment: Containment = {
  name: "O_NOFOLLOW_ANY",
  raceProof: false,
  noFollowFlag: process.platform === "darwin" ? O_NOFOLLOW_ANY : constants.O_NOFOLLOW,
  prefix: (_fd, path) => `${path}/`,
};

/** The containment of this platform, or `undefined` if it has none. */
export function platformContainment(platform = process.platform): Containment | undefined {
  if (platform === "linux") return procContainment;
  return platform === "darwin" ? plainPathContainment : undefined;
}
