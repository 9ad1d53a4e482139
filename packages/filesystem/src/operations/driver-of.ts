import type { FilesystemDriver } from "../driver/driver.js";
import type { Filesystem } from "../protocol/filesystem.js";

const drivers = new WeakMap<object, FilesystemDriver>();

/** The driver of a filesystem, for the contract, which also checks what only a driver can get wrong. */
export function driverOf(filesystem: Filesystem): FilesystemDriver | undefined {
  return drivers.get(filesystem);
}

export function rememberDriver(filesystem: object, driver: FilesystemDriver): void {
  drivers.set(filesystem, driver);
}
