export { CliEngine, type CliEngineOptions } from "./cli-engine.js";
export type {
  BindMount,
  ContainerEngine,
  ContainerSpec,
  EngineReport,
  ExecRequest,
  ListedContainer,
  RunningExec,
} from "./container-engine.js";
export {
  type DiagnoseOptions,
  diagnosePodman,
  type PodmanCheck,
  type PodmanDiagnosis,
} from "./diagnose.js";
export type { PodmanConfig, SandboxProgress } from "./podman-config.js";
export { isPodmanError, PodmanError, type PodmanErrorCode } from "./podman-error.js";
export {
  PodmanSandboxSection,
  type PodmanSandboxSectionOptions,
} from "./podman-sandbox-section.js";
export type { UnenforcedLimit } from "./probe-container.js";
export { type ReapReport, reapAbandoned } from "./reap.js";
export type { ShellExecuteValue } from "./shell-execute.js";
export type { ShellOutputValue } from "./shell-output.js";
