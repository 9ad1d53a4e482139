import { fromNodeError } from "./from-node-error.js";
import { type HostDriver, type HostDriverOptions, hostDriver } from "./host-driver.js";
import { type OpenHostRootOptions, openHostRoot } from "./open-host-root.js";
import { sweepTemporaries } from "./sweep-temporaries.js";

export interface OpenHostDriverOptions extends HostDriverOptions, OpenHostRootOptions {
  /** Whether temporary files of processes that are no more are looked for, in the whole tree, and removed. @default true */
  readonly sweep?: boolean | undefined;
}

/** Opens a directory of this machine for a filesystem to work in. */
export async function openHostDriver(
  directory: string,
  options: OpenHostDriverOptions = {},
): Promise<HostDriver> {
  const root = openHostRoot(directory, options);
  try {
    if (options.sweep ?? true) await sweepTemporaries(root);
    return hostDriver(root, options);
  } catch (error) {
    root.close();
    throw fromNodeError(error, "open", ".");
  }
}
