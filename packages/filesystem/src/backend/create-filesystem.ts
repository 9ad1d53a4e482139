import type { FilesystemDriver } from "../driver/driver.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import { checkOptionNames } from "../protocol/filesystem-options.js";
import { DriverFilesystem, type FilesystemOptions } from "./driver-filesystem.js";

const METHODS = ["stat", "list", "read", "write", "mkdir", "remove"] as const;

/** Builds a complete `Filesystem`, snapshots included, from a driver with six methods. */
export function createFilesystem(
  driver: FilesystemDriver,
  options?: FilesystemOptions,
): DriverFilesystem {
  checkOptionNames(options);
  const missing = METHODS.find((name) => typeof driver?.[name] !== "function");
  if (missing !== undefined)
    throw invalidArgument("createFilesystem", `the driver must have a method ${missing}`);
  return new DriverFilesystem(driver, options);
}
