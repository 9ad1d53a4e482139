export { CliEngine, type CliEngineOptions } from "./podman/cli-engine.js";
export type {
  BindMount,
  ContainerEngine,
  ContainerSpec,
  EngineReport,
  ExecRequest,
  ListedContainer,
  RunningExec,
} from "./podman/container-engine.js";
export {
  type DiagnoseOptions,
  diagnosePodman,
  type PodmanCheck,
  type PodmanDiagnosis,
} from "./podman/diagnose.js";
export type { PodmanConfig, SandboxProgress } from "./podman/podman-config.js";
export { isPodmanError, PodmanError, type PodmanErrorCode } from "./podman/podman-error.js";
export {
  PodmanSandboxSection,
  type PodmanSandboxSectionOptions,
} from "./podman/podman-sandbox-section.js";
export type { UnenforcedLimit } from "./podman/probe-container.js";
export type { ShellExecuteValue } from "./podman/shell-execute.js";
export type { ShellOutputValue } from "./podman/shell-output.js";
