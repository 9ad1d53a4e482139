import type { ToolContext } from "@wink/prompt";
import type { NameTool } from "../reply/answer-error.js";
import type { ToolLimits } from "../reply/limits.js";

/** Shared by the file tools of one section. */
export interface FileToolSettings {
  readonly limits: ToolLimits;
  /** The key of the section, which identifies its files in the session. */
  readonly workspace: string;
  readonly nameTool: NameTool;
}

/**
 * The key of the workspace section whose files a tool uses, for a tool that can be in any section.
 *
 * @param tool its name in the prompt
 */
export function workspaceOf(tool: string, { renderedPrompt }: ToolContext): string {
  const path = renderedPrompt?.tool(tool)?.workspace || DEFAULT_WORKSPACE;
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The key of a `VfsToolsSection`, for a call outside a prompt. */
const DEFAULT_WORKSPACE = "vfs";

/** The author fields of an event. */
export function authorOf(workspace: string, tool: string, { prompt, toolCallId }: ToolContext) {
  return { workspace, writer: `${prompt.ns}/${prompt.key}`, tool, toolCallId };
}
