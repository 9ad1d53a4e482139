export type { Containment } from "./host/containment/containment.js";
export type { OpenHostRootOptions } from "./host/containment/open-host-root.js";
export { removeHostTree, removeHostTreeNow } from "./host/containment/remove-tree.js";
export type { HostDriver, HostDriverOptions } from "./host/driver/host-driver.js";
export type { HostWalkEntry } from "./host/driver/host-walk.js";
export type { OtherWritersOption } from "./host/driver/unseen-changes.js";
export { HostFilesystem, type HostFilesystemOptions } from "./host/open/host-filesystem.js";
export {
  openRepositorySnapshots,
  type RepositorySnapshot,
  RepositorySnapshots,
  type RepositorySnapshotsOptions,
  type SnapshotStoreOptions,
} from "./host/open/index.js";
export { type OpenHostDriverOptions, openHostDriver } from "./host/open/open-host-driver.js";
export { AppendFile } from "./host/process/append-file.js";
export {
  findProcess,
  type IdentifiedProcess,
  processIdentity,
} from "./host/process/process-identity.js";
export { ProcessLock } from "./host/process/process-lock.js";
export { saveFile } from "./host/process/save-file.js";
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
} from "./mounts/index.js";
