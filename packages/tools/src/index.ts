export { ChangeFile } from "@wink/prompt/adapter";
export {
  AgentsFileSection,
  type AgentsFileSectionOptions,
} from "./agents-file/agents-file-section.js";
export { commandSucceeds, planIsDone } from "./completion/completion-checks.js";
export type { DigestOptions } from "./digest/compute-digest.js";
export { renderDigest } from "./digest/render-digest.js";
export {
  clearWorkspaceDigest,
  latestWorkspaceDigest,
  setWorkspaceDigest,
  WorkspaceDigest,
} from "./digest/workspace-digest.js";
export {
  WorkspaceDigestSection,
  type WorkspaceDigestSectionOptions,
} from "./digest/workspace-digest-section.js";
export type { SectionNaming, ToolSectionNaming } from "./error/section-naming.js";
export { isToolsError, ToolsError } from "./error/tools-error.js";
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
export { fileHandlers } from "./files/file-tools.js";
export type { FileNode, VfsFile } from "./files/file-tree.js";
export {
  HostWorkspaceSection,
  type HostWorkspaceSectionOptions,
} from "./files/host-workspace-section.js";
export type { ContentSource } from "./files/replay-change.js";
export { replayFiles } from "./files/replay-files.js";
export { VfsToolsSection, type VfsToolsSectionOptions } from "./files/vfs-tools-section.js";
export { VirtualFileSystem, vfsFiles } from "./files/virtual-file-system.js";
export { AddStep, Plan, type PlanStep, SetupPlan, UpdateStep } from "./planning/plan.js";
export { planningHandlers } from "./planning/planning-tools.js";
export {
  PlanningToolsSection,
  type PlanningToolsSectionOptions,
} from "./planning/planning-tools-section.js";
export { renderPlan } from "./planning/render-plan.js";
export type { ToolLimits } from "./reply/limits.js";
export type { RefusedSkill, Skill } from "./skills/skill.js";
export { SkillsSection, type SkillsSectionOptions } from "./skills/skills-section.js";
export type { SnapshotToolsSectionOptions } from "./snapshots/snapshot-settings.js";
export { snapshotHandlers } from "./snapshots/snapshot-tools.js";
export { SnapshotToolsSection } from "./snapshots/snapshot-tools-section.js";
