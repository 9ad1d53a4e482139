import type { FilesystemDriver } from "../../driver/driver.js";
import { DriverFilesystem, type FilesystemOptions } from "../../operations/driver-filesystem.js";
import { checkMountPoint } from "../../operations/mount-point.js";
import { resolveLimits, resolveQuotas } from "../../protocol/limits.js";
import { isSnapshotError } from "../../snapshots/snapshot-error.js";
import type { HostRoot } from "../containment/host-root.js";
import { openHostRoot } from "../containment/open-host-root.js";
import { hostDriver } from "../driver/host-driver.js";
import { sweepTemporaries } from "../driver/sweep-temporaries.js";
import { errorCode, fromNodeError } from "../process/from-node-error.js";
import { type SnapshotStoreOptions, withSnapshots } from "./index.js";
import type { OpenHostDriverOptions } from "./open-host-driver.js";

export interface HostFilesystemOptions
  extends Omit<FilesystemOptions, "root">,
    OpenHostDriverOptions,
    Omit<SnapshotStoreOptions, "rootPath"> {
  /** As for any driver; not done where `readOnly` is set. @default true */
  readonly sweep?: boolean | undefined;
}

/**
 * A directory of this machine.
 *
 * No path and no link leads out of it, whoever changes the tree at the same time.
 * Every write is put in place in one step. It holds the directory open: `close` it,
 * and every later call is refused with `EBADF`.
 *
 * Its snapshots are kept in `storeDirectory`, where another process finds them again; without one they
 * last until it is closed. What a killed process left half done is mended when the directory is opened.
 */
export class HostFilesystem extends DriverFilesystem {
  private constructor(driver: FilesystemDriver, options: FilesystemOptions) {
    super(driver, options);
  }

  /** Rejects when an option is wrong, when there is no such directory, or when links cannot be kept out here. */
  static async open(root: string, options: HostFilesystemOptions = {}): Promise<HostFilesystem> {
    checkOptions(options);
    const pinned = openHostRoot(root, options);
    let driver: FilesystemDriver | undefined;
    try {
      if (options.sweep ?? !options.readOnly) await sweepTemporaries(pinned);
      driver = await openDriver(pinned, options);
      return new HostFilesystem(driver, { ...options, root: pinned.path });
    } catch (error) {
      await driver?.close?.();
      pinned.close();
      // What is wrong with an option is the caller's to hear as it is.
      const isForeign = errorCode(error) !== undefined && !isSnapshotError(error);
      throw isForeign ? fromNodeError(error, "open", ".") : error;
    }
  }
}

/** Refuses what the constructor would, before anything on disk is touched. */
function checkOptions({ mountPoint, limits, quotas }: FilesystemOptions): void {
  checkMountPoint(mountPoint);
  resolveLimits(limits);
  resolveQuotas(quotas);
}

/** A directory that must not be changed gets no store of its own unless one is named: mending it would be a change. */
async function openDriver(
  root: HostRoot,
  options: HostFilesystemOptions,
): Promise<FilesystemDriver> {
  const driver = hostDriver(root, options);
  if (options.readOnly && options.storeDirectory === undefined) return driver;
  return await withSnapshots(driver, root, { ...options, rootPath: root.path });
}
