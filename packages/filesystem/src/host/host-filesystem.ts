import { DriverFilesystem, type FilesystemOptions } from "../driver-filesystem.js";
import type { HostDriver } from "./host-driver.js";
import { type OpenHostDriverOptions, openHostDriver } from "./open-host-driver.js";

export interface HostFilesystemOptions
  extends Omit<FilesystemOptions, "root">,
    OpenHostDriverOptions {
  /** As for any driver; not done where `readOnly` is set. @default true */
  readonly sweep?: boolean | undefined;
}

/**
 * A directory of this machine.
 *
 * No path and no link leads out of it, whoever changes the tree at the same time.
 * Every write is put in place in one step. It holds the directory open: `close` it,
 * and every later call is refused with `EBADF`.
 */
export class HostFilesystem extends DriverFilesystem {
  private constructor(driver: HostDriver, options: FilesystemOptions) {
    super(driver, options);
  }

  /** Rejects when there is no such directory, or when links cannot be kept out here. */
  static async open(root: string, options: HostFilesystemOptions = {}): Promise<HostFilesystem> {
    const sweep = options.sweep ?? !options.readOnly;
    const driver = await openHostDriver(root, { ...options, sweep });
    try {
      return new HostFilesystem(driver, { ...options, root: driver.root });
    } catch (error) {
      driver.close();
      throw error;
    }
  }
}
