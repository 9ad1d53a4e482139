import { constants, readlinkSync } from "node:fs";

/** An open directory, and what a child's name is put behind to reach that child from it. */
export interface PinnedDirectory {
  readonly fd: number;
  readonly prefix: string;
}

/** How a platform lets us name things below an open directory. */
export interface Containment {
  readonly name: string;
  /** Whether nothing that happens to the tree meanwhile can lead a call out of it. */
  readonly raceProof: boolean;
  /** The flag for `open` that refuses a link. */
  readonly noFollowFlag: number;
  /** The prefix for the children of a directory that was opened as `path`. */
  prefix(fd: number, path: string): string;
}

/**
 * Linux. The kernel resolves `/proc/self/fd/7` to the directory that is open as 7,
 * wherever it is by now, so that only the one segment behind it is looked up by name.
 */
export const procContainment: Containment = {
  name: "/proc/self/fd",
  raceProof: true,
  noFollowFlag: constants.O_NOFOLLOW,
  prefix: (fd) => `${OWN_DESCRIPTORS}/${fd}/`,
};

/** Where the kernel shows what this process has open: `/proc/self` under its own name, which saves a link on every open; as it is where numbers there are not ours. */
export const OWN_DESCRIPTORS = `/proc/${ownNumber() ?? "self"}/fd`;

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
 * macOS. `O_NOFOLLOW_ANY` refuses a link anywhere in a path, but only `open` knows it:
 * a rename or an unlink can still be led astray by whoever swaps a parent for a link
 * at the right moment. Enough where nobody else changes the tree.
 */
export const plainPathContainment: Containment = {
  name: "O_NOFOLLOW_ANY",
  raceProof: false,
  noFollowFlag: process.platform === "darwin" ? O_NOFOLLOW_ANY : constants.O_NOFOLLOW,
  prefix: (_fd, path) => `${path}/`,
};

/** What this platform has; `undefined` when it has nothing. */
export function platformContainment(platform = process.platform): Containment | undefined {
  if (platform === "linux") return procContainment;
  return platform === "darwin" ? plainPathContainment : undefined;
}
