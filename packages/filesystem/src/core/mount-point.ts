import { FilesystemError } from "../filesystem-error.js";

/** Refuses what is not absolute or not in its normal form. */
export function checkMountPoint(mountPoint: string | undefined): string | undefined {
  if (mountPoint === undefined) return undefined;
  if (/^(?:\/[^/\\\s.][^/\\]*)+$/.test(mountPoint)) return mountPoint;
  throw new FilesystemError("EINVAL", {
    operation: "open",
    path: mountPoint,
    reason: "a mount point is an absolute path such as /workspace",
  });
}
