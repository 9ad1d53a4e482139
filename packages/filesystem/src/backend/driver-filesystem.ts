import type { DriverWriteOptions, FilesystemDriver } from "../driver/driver.js";
import type { SnapshottingDriver } from "../driver/driver-snapshots.js";
import { mirrorSnapshots } from "../memory/mirror-snapshots.js";
import { Calls } from "../operations/calls.js";
import { DriverStates } from "../operations/driver-states.js";
import { importFiles } from "../operations/import-files.js";
import { TransactionStack } from "../operations/transaction-stack.js";
import { UsageKeeper } from "../operations/usage-keeper.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { CallOptions } from "../protocol/filesystem.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import { checkMountPoint, type FilesystemOptions } from "../protocol/filesystem-options.js";
import { resolveLimits, resolveQuotas } from "../protocol/limits.js";
import type { SnapshotableFilesystem } from "../snapshots/filesystem-snapshot.js";

export type { FilesystemOptions };

/**
 * A complete filesystem over a driver. `createFilesystem` makes one from a driver with six methods.
 *
 * It applies the rules that all backends share: it runs each call's operation, serialises changes, and rejects only
 * with an error of this package or the signal's reason.
 */
export class DriverFilesystem
  extends DriverStates<DriverFilesystem>
  implements SnapshotableFilesystem
{
  readonly #calls: Calls;

  constructor(driver: FilesystemDriver, options: FilesystemOptions = {}) {
    if (typeof driver?.stat !== "function" || options === null)
      throw invalidArgument("open", "expected a driver and options. Use createFilesystem(driver)");
    const mountPoint = checkMountPoint(options.mountPoint);
    const root = options.root ?? mountPoint ?? "/";
    const limits = resolveLimits(options.limits);
    const quotas = resolveQuotas(options.quotas);
    const { snapshots = mirrorSnapshots(driver, root) }: SnapshottingDriver = driver;
    const usage = new UsageKeeper(driver, quotas);
    const calls = new Calls({
      driver,
      snapshots,
      limits,
      quotas,
      readOnly: options.readOnly ?? false,
      mountPoint,
      allowGit: options.allowGit ?? false,
      usage,
    });
    super(calls, root, {
      stack: new TransactionStack(usage),
      open: (fork) => new DriverFilesystem(fork, { ...options, root: fork.root ?? root }),
    });
    this.#calls = calls;
  }

  /**
   * Writes many new files and empty directories in one change. For mounts. Call `begin` first to be able to roll back.
   *
   * @param nodes directories have no `bytes`. The parent of a node exists or comes before it. Do not change the bytes
   * afterwards.
   */
  importFiles(
    nodes: readonly (Omit<DriverWriteOptions, "isOwned" | "signal"> & {
      readonly path: VirtualPath;
      readonly bytes?: Uint8Array | undefined;
    })[],
    options: CallOptions = {},
  ): Promise<void> {
    return this.#calls.change("import", ".", options, (workspace) =>
      importFiles(workspace, nodes, options.signal),
    );
  }

  /** Releases what the backend holds open, after the changes in progress. Do not use the filesystem afterwards. */
  close(): Promise<void> {
    return this.#calls.change("close", ".", {}, ({ driver }) => driver.close?.());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
