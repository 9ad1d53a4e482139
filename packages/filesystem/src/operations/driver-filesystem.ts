import type { FilesystemDriver } from "../driver/driver.js";
import type { DriverSnapshots } from "../driver/driver-snapshots.js";
import type { CallOptions } from "../protocol/filesystem.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import { checkMountPoint, type FilesystemOptions } from "../protocol/filesystem-options.js";
import { resolveLimits, resolveQuotas } from "../protocol/limits.js";
import { isPromise } from "../protocol/maybe-promise.js";
import type { ChangeSet } from "../snapshots/change-set.js";
import type * as snapshots from "../snapshots/filesystem-snapshot.js";
import { Calls } from "./calls.js";
import { DriverFiles } from "./driver-files.js";
import { type ImportedNode, importFiles } from "./import-files.js";
import { pruneSnapshots } from "./prune-snapshots.js";
import {
  createSnapshot,
  deleteSnapshot,
  diffSnapshots,
  exportSnapshot,
  forkDriver,
  importSnapshot,
  listSnapshots,
  restoreSnapshot,
} from "./snapshot-operations.js";
import { TransactionStack } from "./transaction-stack.js";
import { UsageKeeper } from "./usage-keeper.js";
import { failure } from "./workspace.js";

export type { FilesystemOptions };

/**
 * A complete filesystem over a driver. `createFilesystem` makes one from a driver with six methods.
 *
 * It applies the rules that all backends share: it runs each call's operation, serialises changes, and rejects only
 * with an error of this package or the signal's reason.
 */
export class DriverFilesystem extends DriverFiles implements snapshots.SnapshotableFilesystem {
  readonly #calls: Calls;
  readonly #transactions: TransactionStack;
  readonly #options: FilesystemOptions;
  /** Makes snapshots for a driver that has none. */
  readonly #snapshotsFor:
    | ((driver: FilesystemDriver, rootPath: string) => DriverSnapshots)
    | undefined;

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
    const calls = new Calls({
      driver,
      snapshots: store,
      limits,
      quotas,
      readOnly: options.readOnly ?? false,
      mountPoint,
      allowGit: options.allowGit ?? false,
      usage: new UsageKeeper(driver, quotas),
    });
    super(calls, root);
    this.#calls = calls;
    this.#options = options;
    this.#snapshotsFor = snapshotsFor;
    this.#transactions = new TransactionStack(calls);
  }

  snapshot(options: snapshots.SnapshotOptions = {}): Promise<snapshots.FilesystemSnapshot> {
    return this.#calls.change("snapshot", ".", options, createSnapshot);
  }

  restore(snapshot: snapshots.FilesystemSnapshot, options: CallOptions = {}): Promise<void> {
    return this.#calls.change("restore", ".", options, (workspace, target) =>
      restoreSnapshot(workspace, target, snapshot),
    );
  }

  diff(
    from: snapshots.FilesystemSnapshot,
    to?: snapshots.FilesystemSnapshot,
    options: snapshots.DiffOptions = {},
  ): Promise<ChangeSet> {
    return this.#calls.change("diff", ".", options, (workspace) =>
      diffSnapshots(workspace, from, to, options),
    );
  }

  snapshots(options: CallOptions = {}): Promise<readonly snapshots.FilesystemSnapshot[]> {
    return this.#calls.change("snapshots", ".", options, listSnapshots);
  }

  deleteSnapshot(snapshot: snapshots.FilesystemSnapshot, options: CallOptions = {}): Promise<void> {
    return this.#calls.change("deleteSnapshot", ".", options, (workspace) =>
      deleteSnapshot(workspace, snapshot),
    );
  }

  prune(options: snapshots.PruneOptions): Promise<snapshots.PruneReport> {
    return this.#calls.change("prune", ".", options, (workspace, target) =>
      pruneSnapshots(workspace.snapshots, target, options, Date.now()),
    );
  }

  verify(options: CallOptions = {}): Promise<snapshots.VerifyReport> {
    return this.#calls.change("verify", ".", options, (workspace) => workspace.snapshots.verify());
  }

  exportSnapshot(
    snapshot: snapshots.FilesystemSnapshot,
    options: CallOptions = {},
  ): AsyncIterable<Uint8Array> {
    return exportSnapshot(this.#calls, snapshot, options);
  }

  importSnapshot(
    archive: Parameters<snapshots.SnapshotableFilesystem["importSnapshot"]>[0],
    options: snapshots.SnapshotOptions = {},
  ): Promise<snapshots.FilesystemSnapshot> {
    return this.#calls.change("importSnapshot", ".", options, (workspace) =>
      importSnapshot(workspace, archive, options),
    );
  }

  async fork(options: CallOptions = {}): Promise<DriverFilesystem> {
    const driver = await this.#calls.change("fork", ".", options, forkDriver);
    const settings = { ...this.#options, root: driver.root ?? this.root };
    return new DriverFilesystem(driver, settings, this.#snapshotsFor);
  }

  begin(options: snapshots.BeginOptions = {}): Promise<snapshots.FilesystemTransaction> {
    return this.#calls.change("begin", ".", options, (workspace, target) => {
      if (workspace.readOnly) throw failure(target, "EROFS");
      const { full = false, committedBy, signal } = options;
      const begun = workspace.snapshots.begin({ full, committedBy });
      if (!isPromise(begun)) return this.#transactions.push(begun);
      return begun.then(async (transaction) => {
        if (signal?.aborted) await transaction.rollback();
        signal?.throwIfAborted();
        return this.#transactions.push(transaction);
      });
    });
  }

  /** Writes many new files in one change. For mounts. Call `begin` first to be able to roll back. */
  importFiles(nodes: readonly ImportedNode[], { signal }: CallOptions = {}): Promise<void> {
    return this.#calls.change("import", ".", { signal }, (workspace) =>
      importFiles(workspace, nodes, signal),
    );
  }

  /** Releases what the backend holds open, after the changes in progress. The filesystem is not to be used afterwards. */
  close(): Promise<void> {
    return this.#calls.change("close", ".", {}, ({ driver }) => driver.close?.());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
