import type { FilesystemDriver } from "./driver.js";
import { DriverFilesystem, type FilesystemOptions } from "./driver-filesystem.js";
import { mirrorSnapshots } from "./snapshots/mirror-snapshots.js";

/** Builds a complete `Filesystem`, snapshots included, from a driver with six methods. */
export function createFilesystem(
  driver: FilesystemDriver,
  options?: FilesystemOptions,
): DriverFilesystem {
  return new DriverFilesystem(driver, options, (each, rootPath) =>
    mirrorSnapshots(each, { clock: Date.now, rootPath }),
  );
}
