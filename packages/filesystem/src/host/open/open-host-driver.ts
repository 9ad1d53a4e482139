import { type OpenHostRootOptions, openHostRoot } from "../containment/open-host-root.js";
import { type HostDriver, type HostDriverOptions, hostDriver } from "../driver/host-driver.js";
import { sweepTemporaries } from "../driver/sweep-temporaries.js";
import { requireOptions } from "../process/check-arguments.js";
import { fromNodeError } from "../process/from-node-error.js";

export interface OpenHostDriverOptions extends HostDriverOptions, OpenHostRootOptions {
  /** Whether temporary files of dead processes are removed from the whole tree. @default true */
  readonly sweep?: boolean | undefined;
}

export const HOST_DRIVER_OPTIONS: Readonly<Record<keyof OpenHostDriverOptions, true>> = {
  fsync: true,
  crossMounts: true,
  otherWriters: true,
  weakContainment: true,
  networkFilesystem: true,
  containment: true,
  sweep: true,
};

/** Opens a directory on this machine as a driver for a filesystem. */
export async function openHostDriver(
  directory: string,
  options: OpenHostDriverOptions = {},
): Promise<HostDriver> {
  requireOptions(options, HOST_DRIVER_OPTIONS, "open");
  const root = openHostRoot(directory, options);
  try {
    if (options.sweep ?? true) await sweepTemporaries(root);
    return hostDriver(root, options);
  } catch (error) {
    root.close();
    throw fromNodeError(error, "open", ".");
  }
}
