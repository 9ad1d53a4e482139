import { DriverFilesystem, type FilesystemOptions } from "../driver-filesystem.js";
import { fromNodeError } from "./from-node-error.js";
import { type HostDriver, type HostDriverOptions, hostDriver } from "./host-driver.js";
import { type OpenHostRootOptions, openHostRoot } from "./open-host-root.js";
import { sweepTemporaries } from "./sweep-temporaries.js";

export interface OpenHostDriverOptions extends HostDriverOptions, OpenHostRootOptions {
  /** Whether temporary files of processes that are no more are looked for, in the whole tree, and removed. @default true */
  readonly sweep?: boolean | undefined;
}

export interface HostFilesystemOptions
  extends Omit<FilesystemOptions, "root">,
    OpenHostDriverOptions {
  /** As for any driver; not done where `readOnly` is set. @default true */
  readonly sweep?: boolean | undefined;
}

/** Opens a directory of this machine for a filesystem to work in. */
export async function openHostDriver(
  directory: string,
  options: OpenHostDriverOptions = {},
): Promise<HostDriver & { readonly root: string }> {
  const { root, path } = openHostRoot(directory, options);
  try {
    if (options.sweep ?? true) await sweepTemporaries(root);
    return { ...hostDriver(root, options), root: path };
  } catch (error) {
    root.close();
    throw fromNodeError(error, "open", ".");
  }
}

/**
 * A directory of this machine.
 *
 * No path and no link leads out of it, whoever changes the tree at the same time.
 * Every write is put in place in one step. It holds the directory open: `close` it.
 */
export class HostFilesystem extends DriverFilesystem implements AsyncDisposable {
  readonly #driver: HostDriver;

  private constructor(driver: HostDriver, options: FilesystemOptions) {
    super(driver, options);
    this.#driver = driver;
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

  /** Gives up every open stream and lets go of the directory. Every later call is refused with `EBADF`. */
  async close(): Promise<void> {
    this.#driver.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
