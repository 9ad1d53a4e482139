import type { FilesystemDriver } from "../driver/driver.js";
import { mirrorSnapshots } from "../memory/mirror-snapshots.js";
import { DriverFilesystem, type FilesystemOptions } from "../operations/driver-filesystem.js";

/** Builds a complete `Filesystem`, snapshots included, from a driver with six methods. */
export function createFilesystem(
  driver: FilesystemDriver,
  options?: FilesystemOptions,
): DriverFilesystem {
  return new DriverFilesystem(driver, options, mirrorSnapshots);
}
