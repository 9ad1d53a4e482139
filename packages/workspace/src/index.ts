export {
  type RecoverApplyOptions,
  type RecoveredApply,
  recoverApply,
} from "./apply/recover-apply.js";
export type {
  ApplyOptions,
  ApplyReport,
  ChangesOptions,
  WorkspaceChanges,
} from "./apply/workspace-changes.js";
export {
  type ApplyConflict,
  ApplyConflictError,
  isApplyConflictError,
} from "./error/apply-error.js";
export {
  isWorkspaceError,
  WorkspaceError,
  type WorkspaceErrorCode,
  type WorkspaceErrorOptions,
} from "./error/workspace-error.js";
export type { CommitOptions, CommitReport } from "./git/commit-options.js";
export type {
  HostMount,
  LeftOutReason,
  MountHostOptions,
  MountLeftOut,
  MountProgress,
} from "./mount/host-mount.js";
export { mountHost } from "./workspace/mount-host.js";
export type { MountedWorkspace, MountReport } from "./workspace/mounted-workspace.js";
