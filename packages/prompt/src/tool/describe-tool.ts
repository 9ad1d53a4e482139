import { requireMember } from "../error/check-options.js";
import type { Tool } from "../protocol/tool.js";

/** The text about a tool for the model: the description, then the examples. */
export function describeTool(tool: Pick<Tool, "description" | "examples">): string {
  requireMember("describeTool", tool, "examples", "a tool");
  const { description, examples } = tool;
  if (examples.length === 0) return description;
  const lines = examples.map(({ description: when, input, output }) => {
    const call = JSON.stringify(input);
    const answer = output === undefined ? "" : ` → ${JSON.stringify(output)}`;
    return when === undefined ? `- ${call}${answer}` : `- ${when}: ${call}${answer}`;
  });
  return `${description}\n\nExamples:\n${lines.join("\n")}`;
}
