export type { SnapshotStoreOptions } from "./snapshot-store.js";
export { type SnapshottingHostDriver, withSnapshots } from "./with-snapshots.js";
