import { FilesystemError } from "../protocol/filesystem-error.js";

/** Refuses a mount point that is not absolute or not normalised. */
export function checkMountPoint(mountPoint: string | undefined): string | undefined {
  if (mountPoint === undefined) return undefined;
  if (typeof mountPoint === "string" && isMountPoint(mountPoint)) return mountPoint;
  throw new FilesystemError("EINVAL", {
    operation: "open",
    path: String(mountPoint),
    reason: "a mount point is an absolute path such as /workspace",
  });
}

function isMountPoint(path: string): boolean {
  return /^(?:\/[^/\\\s.][^/\\]*)+$/.test(path) && !/\p{Cc}/u.test(path) && path.isWellFormed();
}
