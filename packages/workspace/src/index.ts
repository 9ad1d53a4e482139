export type { ApplyProgress } from "./apply/apply-progress.js";
export { type RecoverApplyOptions, recoverApply } from "./apply/recover-apply.js";
export type { RecoveredApply } from "./apply/run-steps.js";
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
} from "./error/workspace-error.js";
export type { CommitOptions, CommitReport } from "./git/commit-options.js";
export type {
  HostMount,
  LeftOutReason,
  MountHostOptions,
  MountLeftOut,
  MountProgress,
} from "./mount/host-mount.js";
export type { ApplyWorkspaceOptions, UndoOptions } from "./workspace/apply-workspace.js";
export type { ChangeHunk, FileDiff } from "./workspace/hunks.js";
export type { WorkspaceMergeReport } from "./workspace/merge-changes.js";
export { mountHost } from "./workspace/mount-host.js";
export type { MountedWorkspace, MountReport } from "./workspace/mounted-workspace.js";
export {
  type OverlaidHost,
  type OverlayHostOptions,
  type OverlayMount,
  overlayHost,
} from "./workspace/overlay-host.js";
export type { RefreshOptions, RefreshReport } from "./workspace/refresh-workspace.js";
export { Workspace } from "./workspace/workspace.js";
export type { WorkspaceLines } from "./workspace/workspace-lines.js";
export type {
  KeepAsOptions,
  OpenWorkspaceOptions,
  SelectOptions,
  WorkspaceInfo,
} from "./workspace/workspace-options.js";
export type { AppliedChanges, WorkspaceFilter } from "./workspace/workspace-record.js";
export type { RunOutcome, WorkspaceRun } from "./workspace/workspace-run.js";
export type { WorkspaceRuns } from "./workspace/workspace-runs.js";
