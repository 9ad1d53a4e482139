import type { DriverStat, FilesystemDriver } from "../../driver/driver.js";
import type { WalkEntry } from "../../driver/driver-accelerators.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import { openHostRoot } from "../containment/open-host-root.js";
import { hostDriver } from "../driver/host-driver.js";
import type { HostFilesystemOptions } from "../driver/host-options.js";
import { sweepTemporaries } from "../driver/sweep-temporaries.js";
import { requireOptions } from "../process/check-arguments.js";
import { fromNodeError } from "../process/from-node-error.js";

export const HOST_DRIVER_OPTIONS = {
  fsync: true,
  crossMounts: true,
  otherWriters: true,
  weakContainment: true,
  networkFilesystem: true,
  containment: true,
  sweep: true,
} as const satisfies Partial<Record<keyof HostFilesystemOptions, true>>;

/** Opens a directory on this machine as a driver for a filesystem. */
export async function openHostDriver(
  directory: string,
  options: Pick<HostFilesystemOptions, keyof typeof HOST_DRIVER_OPTIONS> = {},
): Promise<
  FilesystemDriver & {
    readonly accelerate: {
      /** The entries have their attributes. */
      walk(
        base: VirtualPath,
        enter: (path: VirtualPath) => boolean,
      ): Iterable<WalkEntry & { stat(): DriverStat | undefined }>;
    };
    /** Aborts every open stream and closes the directory. Every later call fails with `EBADF`. */
    close(): void;
  }
> {
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
