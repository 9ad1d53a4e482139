export type { SnapshotStoreOptions } from "./store-parts.js";
export {
  openRepositorySnapshots,
  type RepositorySnapshot,
  RepositorySnapshots,
  type RepositorySnapshotsOptions,
} from "./user-repository.js";
export { type SnapshottingHostDriver, withSnapshots } from "./with-snapshots.js";
