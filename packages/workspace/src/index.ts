export { type ApplyConflict, ApplyConflictError, isApplyConflictError } from "./apply-error.js";
export type {
  HostMount,
  LeftOutReason,
  MountedWorkspace,
  MountHostOptions,
  MountLeftOut,
  MountProgress,
  MountReport,
} from "./host-mount.js";
export { mountHost } from "./mount-host.js";
export { type RecoverApplyOptions, type RecoveredApply, recoverApply } from "./recover-apply.js";
export type {
  ApplyOptions,
  ApplyReport,
  ChangesOptions,
  WorkspaceChanges,
} from "./workspace-changes.js";
