export type { SnapshotStoreOptions } from "../snapshots/store-parts.js";
export {
  openRepositorySnapshots,
  type RepositorySnapshot,
  RepositorySnapshots,
  type RepositorySnapshotsOptions,
} from "../snapshots/user-repository.js";
export { type SnapshottingHostDriver, withSnapshots } from "./with-snapshots.js";
