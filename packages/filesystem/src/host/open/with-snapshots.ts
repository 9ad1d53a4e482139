import type { DriverSnapshots } from "../../driver/driver-snapshots.js";
import type { HostRoot } from "../containment/host-root.js";
import type { HostDriver } from "../driver/host-driver.js";
import { fromStoreError } from "../git-store/from-store-error.js";
import { runEvery } from "../process/run-every.js";
import { SnapshotStore } from "../snapshots/snapshot-store.js";
import type { SnapshotStoreOptions } from "../snapshots/store-parts.js";
import { type LoggedDriver, loggedDriver } from "../undo/logged-driver.js";
import { Transactions } from "../undo/transactions.js";
import { UndoLog } from "../undo/undo-log.js";
import { forkWorkspace } from "./fork-workspace.js";

/** A host driver with snapshots, forks and transactions. */
export interface SnapshottingHostDriver extends Omit<LoggedDriver, "close"> {
  readonly snapshots: DriverSnapshots;
  /** Rolls back open transactions, closes all descriptors and removes temporary data. */
  close(): Promise<void>;
}

/**
 * Adds snapshots and transactions to a host driver.
 *
 * First it finishes the work of an earlier process: an interrupted restore is completed, an open transaction is
 * rolled back. From then on, make changes only through the returned driver.
 *
 * @param root the directory that `driver` works in
 */
export async function withSnapshots(
  driver: HostDriver,
  root: HostRoot,
  options: SnapshotStoreOptions = {},
): Promise<SnapshottingHostDriver> {
  const fsync = options.fsync ?? true;
  const store = lazily(() => new SnapshotStore(root, options));
  try {
    // A temporary store is created when it is first needed, and has nothing to recover.
    const kept = options.storeDirectory === undefined ? undefined : store.get();
    await recover(root, kept, { fsync, takesOver: options.takesOver });
  } catch (error) {
    store.made?.close();
    throw error;
  }
  const transactions = new Transactions({ root, files: { driver, root }, store: store.get, fsync });
  const snapshots: DriverSnapshots = {
    create: (label) => store.get().create(label),
    list: () => store.get().list(),
    restore: (snapshot) => store.get().restore(snapshot),
    delete: (list) => store.get().delete(list),
    heldBytes: (list) => store.get().heldBytes(list),
    view: (snapshot) => store.get().view(snapshot),
    add: (entries, label, edited) => store.get().add(entries, label, edited),
    verify: () => store.get().verify(),
    begin: (how) => transactions.begin(how),
    fork: () => forkWorkspace(root, options, withSnapshots),
  };
  return {
    ...loggedDriver(driver, root, transactions),
    snapshots,
    async close() {
      try {
        try {
          await transactions.close();
        } finally {
          runEvery([() => store.made?.close(), () => driver.close()]);
        }
      } catch (error) {
        throw fromStoreError(error, "close");
      }
    },
  };
}

async function recover(
  root: HostRoot,
  store: SnapshotStore | undefined,
  options: { readonly fsync: boolean; readonly takesOver: string | undefined },
): Promise<void> {
  await store?.recover();
  const startingFrom = await store?.recoverTransaction(options.takesOver);
  await UndoLog.recover(root, { ...options, startingFrom });
}

/** Creates a value on its first use. */
function lazily<T>(make: () => T): { readonly made: T | undefined; readonly get: () => T } {
  let made: T | undefined;
  return {
    get made() {
      return made;
    },
    get() {
      made ??= make();
      return made;
    },
  };
}
