import type { HostDriver } from "../host/host-driver.js";
import type { HostRoot } from "../host/host-root.js";
import type { DriverSnapshots } from "../snapshots/driver-snapshots.js";
import { forkWorkspace } from "./fork-workspace.js";
import { type LoggedDriver, loggedDriver } from "./logged-driver.js";
import { SnapshotStore, type SnapshotStoreOptions } from "./snapshot-store.js";
import { Transactions } from "./transactions.js";
import { UndoLog } from "./undo-log.js";

/** A host driver that keeps states: snapshots, forks and transactions. */
export interface SnapshottingHostDriver extends Omit<LoggedDriver, "close"> {
  readonly snapshots: DriverSnapshots;
  /** Takes back what no transaction has committed, lets go of everything, and removes what was temporary. */
  close(): Promise<void>;
}

/**
 * Gives a host driver snapshots and transactions.
 *
 * What an earlier process left unfinished is dealt with first: a restore is completed, a
 * transaction taken back. Changes must from now on go through the driver that is returned.
 *
 * @param root the directory that `driver` works in
 */
export async function withSnapshots(
  driver: HostDriver,
  root: HostRoot,
  options: SnapshotStoreOptions = {},
): Promise<SnapshottingHostDriver> {
  const store = new SnapshotStore(root, options);
  const fsync = options.fsync ?? true;
  try {
    await recover(root, store, fsync);
  } catch (error) {
    store.close();
    throw error;
  }
  const transactions = new Transactions({ root, store, journal: store.fullJournal, fsync });
  const snapshots: DriverSnapshots = {
    create: (label) => store.create(label),
    list: () => store.list(),
    restore: (snapshot) => store.restore(snapshot),
    delete: (list) => store.delete(list),
    heldBytes: (list) => store.heldBytes(list),
    view: (snapshot) => store.view(snapshot),
    add: (entries, label) => store.add(entries, label),
    verify: () => store.verify(),
    begin: (how) => transactions.begin(how),
    fork: () => forkWorkspace(root, options, withSnapshots),
  };
  return {
    ...loggedDriver(driver, root, transactions),
    snapshots,
    async close() {
      try {
        await transactions.close();
      } finally {
        store.close();
        driver.close();
      }
    },
  };
}

async function recover(root: HostRoot, store: SnapshotStore, fsync: boolean): Promise<void> {
  await store.recover();
  const position = await store.recoverTransaction();
  UndoLog.recover(root, { fsync, startingFrom: position });
}
