import type { FilesystemDriver } from "../driver/driver.js";
import type { DriverSnapshots } from "../driver/driver-snapshots.js";
import { Calls } from "../operations/calls.js";
import { DriverStates } from "../operations/driver-states.js";
import { type ImportedNode, importFiles } from "../operations/import-files.js";
import { TransactionStack } from "../operations/transaction-stack.js";
import { UsageKeeper } from "../operations/usage-keeper.js";
import type { CallOptions } from "../protocol/filesystem.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import { checkMountPoint, type FilesystemOptions } from "../protocol/filesystem-options.js";
import { resolveLimits, resolveQuotas } from "../protocol/limits.js";

export type { FilesystemOptions };

/**
 * A complete filesystem over a driver. `createFilesystem` makes one from a driver with six methods.
 *
 * It applies the rules that all backends share: it runs each call's operation, serialises changes, and rejects only
 * with an error of this package or the signal's reason.
 */
export class DriverFilesystem extends DriverStates<DriverFilesystem> {
  readonly #calls: Calls;

  constructor(
    driver: FilesystemDriver,
    options: FilesystemOptions = {},
    snapshotsFor?: (driver: FilesystemDriver, rootPath: string) => DriverSnapshots,
  ) {
    if (typeof driver?.stat !== "function" || options === null)
      throw invalidArgument("open", "expected a driver and options. Use createFilesystem(driver)");
    const mountPoint = checkMountPoint(options.mountPoint);
    const root = options.root ?? mountPoint ?? "/";
    const limits = resolveLimits(options.limits);
    const quotas = resolveQuotas(options.quotas);
    const store = driver.snapshots ?? snapshotsFor?.(driver, root);
    if (store === undefined)
      throw invalidArgument("open", "the driver has no snapshots. Use createFilesystem(driver)");
    const usage = new UsageKeeper(driver, quotas);
    const calls = new Calls({
      driver,
      snapshots: store,
      limits,
      quotas,
      readOnly: options.readOnly ?? false,
      mountPoint,
      allowGit: options.allowGit ?? false,
      usage,
    });
    super(calls, root, {
      stack: new TransactionStack(usage),
      open: (fork) =>
        new DriverFilesystem(fork, { ...options, root: fork.root ?? root }, snapshotsFor),
    });
    this.#calls = calls;
  }

  /** Writes many new files in one change. For mounts. Call `begin` first to be able to roll back. */
  importFiles(nodes: readonly ImportedNode[], options: CallOptions = {}): Promise<void> {
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
