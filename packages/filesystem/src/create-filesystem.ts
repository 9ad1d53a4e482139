import type { FilesystemDriver } from "./driver.js";
import { DriverFilesystem, type FilesystemOptions } from "./driver-filesystem.js";
import type { Filesystem } from "./filesystem.js";

/** Makes a whole filesystem of anybody's driver. */
export function createFilesystem(
  driver: FilesystemDriver,
  options?: FilesystemOptions,
): Filesystem {
  return new DriverFilesystem(driver, options);
}
