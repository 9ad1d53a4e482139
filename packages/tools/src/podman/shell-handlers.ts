import { invalidOption } from "../error/check-options.js";
import { PodmanSandboxSection, shellSettingsOf } from "./podman-sandbox-section.js";
import { shellExecuteTool } from "./shell-execute.js";
import { shellOutputTool } from "./shell-output.js";

/**
 * The handlers of `shell_execute` and `shell_output` in the container of a section: for tests and for your own tools.
 * They take parsed input. Pass a context with the section's filesystem.
 */
export function shellHandlers(section: PodmanSandboxSection<string>) {
  if (!(section instanceof PodmanSandboxSection))
    throw invalidOption("shellHandlers", "the section must be a PodmanSandboxSection");
  const settings = shellSettingsOf(section);
  return Object.freeze({
    execute: shellExecuteTool(settings).handler,
    output: shellOutputTool(settings).handler,
  });
}
