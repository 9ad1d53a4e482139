export type { Containment } from "./containment.js";
export type { HostDriver, HostDriverOptions } from "./host-driver.js";
export { HostFilesystem, type HostFilesystemOptions } from "./host-filesystem.js";
export type { HostWalkEntry } from "./host-walk.js";
export { type OpenHostDriverOptions, openHostDriver } from "./open-host-driver.js";
export type { OpenHostRootOptions } from "./open-host-root.js";
