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

/** The author fields of an event. */
export function authorOf(workspace: string, tool: string, { prompt, toolCallId }: ToolContext) {
  return { workspace, writer: `${prompt.ns}/${prompt.key}`, tool, toolCallId };
}
