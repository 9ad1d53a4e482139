export { diagnosePodman, type PodmanDiagnosis } from "./podman/diagnose.js";
export type { PodmanConfig } from "./podman/podman-config.js";
export { PodmanError } from "./podman/podman-error.js";
export {
  PodmanSandboxSection,
  type PodmanSandboxSectionOptions,
  type PreparedSandbox,
} from "./podman/podman-sandbox-section.js";
export type { ShellExecuteValue } from "./podman/shell-execute.js";
export { shellHandlers } from "./podman/shell-handlers.js";
