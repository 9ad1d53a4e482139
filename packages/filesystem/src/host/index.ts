export {
  type ApplyConflict,
  ApplyConflictError,
  type ApplyOptions,
  type ApplyReport,
  type ChangesOptions,
  type HostMount,
  isApplyConflictError,
  type LeftOutReason,
  type MountedWorkspace,
  type MountHostOptions,
  type MountLeftOut,
  type MountProgress,
  type MountReport,
  mountHost,
  type RecoverApplyOptions,
  type RecoveredApply,
  recoverApply,
  type WorkspaceChanges,
} from "../mounts/index.js";
export {
  openRepositorySnapshots,
  type RepositorySnapshot,
  RepositorySnapshots,
  type RepositorySnapshotsOptions,
  type SnapshotStoreOptions,
} from "../store/index.js";
export type { Containment } from "./containment.js";
export type { HostDriver, HostDriverOptions } from "./host-driver.js";
export { HostFilesystem, type HostFilesystemOptions } from "./host-filesystem.js";
export type { HostWalkEntry } from "./host-walk.js";
export { type OpenHostDriverOptions, openHostDriver } from "./open-host-driver.js";
export type { OpenHostRootOptions } from "./open-host-root.js";
export { removeHostTree, removeHostTreeNow } from "./remove-tree.js";
export type { OtherWritersOption } from "./unseen-changes.js";
