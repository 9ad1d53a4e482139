import type { FilesystemDriver } from "./driver.js";
import { DriverFilesystem, type FilesystemOptions } from "./driver-filesystem.js";

/** Makes a whole filesystem, snapshots included, of anybody's driver. */
export function createFilesystem(
  driver: FilesystemDriver,
  options?: FilesystemOptions,
): DriverFilesystem {
  return new DriverFilesystem(driver, options);
}
