import { DriverFilesystem, type FilesystemOptions } from "../../backend/driver-filesystem.js";
import type { FilesystemDriver } from "../../driver/driver.js";
import { invalidArgument } from "../../protocol/filesystem-error.js";
import { checkMountPoint } from "../../protocol/filesystem-options.js";
import { resolveLimits, resolveQuotas } from "../../protocol/limits.js";
import { isSnapshotError } from "../../snapshots/snapshot-error.js";
import { HostRoot } from "../containment/host-root.js";
import { openHostRoot } from "../containment/open-host-root.js";
import { hostDriver } from "../driver/host-driver.js";
import type { HostFilesystemOptions } from "../driver/host-options.js";
import { sweepTemporaries } from "../driver/sweep-temporaries.js";
import { requireOptions } from "../process/check-arguments.js";
import { errorCode, fromNodeError } from "../process/from-node-error.js";
import { HOST_DRIVER_OPTIONS } from "./open-host-driver.js";
import { type StagedFiles, stageFiles } from "./stage-files.js";
import { withSnapshots } from "./with-snapshots.js";

/**
 * A directory on this machine.
 *
 * No path and no link escapes from it, even if other processes change the tree at the same time. Every write is
 * atomic. The filesystem holds the directory open: `close` it when you are done. Every later call fails with
 * `EBADF`.
 *
 * Its snapshots are stored in `storeDirectory`, where other processes can use them too. Without it they last until
 * the filesystem is closed. Unfinished work of a killed process is completed or rolled back when the directory is
 * opened.
 */
export class HostFilesystem extends DriverFilesystem {
  readonly #root: HostRoot;

  private constructor(driver: FilesystemDriver, root: HostRoot, options: FilesystemOptions) {
    if (!(root instanceof HostRoot)) throw invalidArgument("open", "use HostFilesystem.open()");
    // A read-only directory has no snapshot store, so its snapshots are in memory.
    super(driver, { ...options, root: root.path });
    this.#root = root;
  }

  /**
   * Rejects if an option is invalid, if the directory does not exist, or if links cannot be refused on this
   * platform.
   */
  static async open(root: string, options: HostFilesystemOptions = {}): Promise<HostFilesystem> {
    requireOptions(options, OPTIONS, "open");
    checkOptions(options);
    const pinned = openHostRoot(root, options);
    let driver: FilesystemDriver | undefined;
    try {
      if (options.sweep ?? !options.readOnly) await sweepTemporaries(pinned);
      driver = await openDriver(pinned, options);
      return new HostFilesystem(driver, pinned, options);
    } catch (error) {
      await driver?.close?.();
      pinned.close();
      // Errors about options are thrown unchanged.
      const isForeign = errorCode(error) !== undefined && !isSnapshotError(error);
      throw isForeign ? fromNodeError(error, "open", ".") : error;
    }
  }

  /**
   * For mounts: writes many new files next to the others and moves them into place in one step, which is faster than
   * single writes. `undefined` for a directory with quotas, which only single writes check.
   */
  stageFiles(): StagedFiles | undefined {
    const hasQuotas = Object.values(this.quotas).some((quota) => quota !== undefined);
    return hasQuotas ? undefined : stageFiles(this.#root);
  }
}

const OPTIONS: Readonly<Record<keyof HostFilesystemOptions, true>> = {
  ...HOST_DRIVER_OPTIONS,
  readOnly: true,
  mountPoint: true,
  limits: true,
  quotas: true,
  allowGit: true,
  exclude: true,
  maxFileBytes: true,
  storeDirectory: true,
  takesOver: true,
};

/** Checks what the constructor checks, before anything on disk is changed. */
function checkOptions({ mountPoint, limits, quotas }: FilesystemOptions): void {
  checkMountPoint(mountPoint);
  resolveLimits(limits);
  resolveQuotas(quotas);
}

/**
 * A read-only directory gets snapshots only with a `storeDirectory`, because recovery would change the directory.
 */
async function openDriver(
  root: HostRoot,
  options: HostFilesystemOptions,
): Promise<FilesystemDriver> {
  const driver = hostDriver(root, options);
  if (options.readOnly && options.storeDirectory === undefined) return driver;
  return await withSnapshots(driver, root, { ...options, rootPath: root.path });
}
