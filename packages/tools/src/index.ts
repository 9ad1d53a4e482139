export type { DigestOptions, DigestProgress } from "./digest/compute-digest.js";
export type { Commands } from "./digest/ecosystems/findings.js";
export { renderDigestDetails, renderDigestSummary } from "./digest/render-digest.js";
export {
  clearWorkspaceDigest,
  latestWorkspaceDigest,
  setWorkspaceDigest,
  WorkspaceDigest,
  type WrittenDigest,
} from "./digest/workspace-digest.js";
export {
  DIGEST_PLACEHOLDER,
  WorkspaceDigestSection,
  type WorkspaceDigestSectionOptions,
} from "./digest/workspace-digest-section.js";
export {
  CopyPath,
  DeletePath,
  EditFile,
  MountFiles,
  MovePath,
  RunCommand,
  WriteFile,
} from "./events/file-events.js";
export { CreateSnapshot, RestoreSnapshot } from "./events/snapshot-events.js";
export type { EditFileValue } from "./files/apply-edits.js";
export {
  copyHandler,
  editFileHandler,
  globHandler,
  grepHandler,
  lsHandler,
  moveHandler,
  multiEditHandler,
  readFileHandler,
  rmHandler,
  writeFileHandler,
} from "./files/file-handlers.js";
export type { ListingValue } from "./files/ls.js";
export type { ReadFileValue } from "./files/read-file.js";
export { type ReplayFilesOptions, replayFiles } from "./files/replay-files.js";
export type { RmValue } from "./files/rm.js";
export type { TransferValue } from "./files/transfer.js";
export { VfsToolsSection, type VfsToolsSectionOptions } from "./files/vfs-tools-section.js";
export { type VfsFile, VirtualFileSystem } from "./files/virtual-file-system.js";
export type { WriteFileValue } from "./files/write-file.js";
export {
  AddStep,
  Plan,
  type PlanStep,
  SetupPlan,
  type StepStatus,
  UpdateStep,
} from "./planning/plan.js";
export {
  addStepHandler,
  readPlanHandler,
  setupPlanHandler,
  updateStepHandler,
} from "./planning/planning-handlers.js";
export { PLANNING_LIMITS } from "./planning/planning-limits.js";
export {
  PlanningToolsSection,
  type PlanningToolsSectionOptions,
} from "./planning/planning-tools-section.js";
export { type RenderPlanOptions, renderPlan } from "./planning/render-plan.js";
export type { PlanningStrategy } from "./planning/strategies.js";
export { DEFAULT_TOOL_LIMITS, type ToolLimits } from "./reply/limits.js";
export type { Handler } from "./reply/tool-handler.js";
export type { SnapshotValue } from "./snapshots/snapshot-create.js";
export {
  snapshotCreateHandler,
  snapshotDiffHandler,
  snapshotListHandler,
  snapshotRestoreHandler,
} from "./snapshots/snapshot-handlers.js";
export type { RestoreValue } from "./snapshots/snapshot-restore.js";
export type { SnapshotRetention } from "./snapshots/snapshot-settings.js";
export {
  SnapshotToolsSection,
  type SnapshotToolsSectionOptions,
} from "./snapshots/snapshot-tools-section.js";
