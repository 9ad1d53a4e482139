import type { Tool } from "../protocol/tool.js";

/** What a model is told of a tool: the description, and the examples below it. */
export function describeTool({
  description,
  examples,
}: Pick<Tool, "description" | "examples">): string {
  if (examples.length === 0) return description;
  const lines = examples.map(({ description: when, input, output }) => {
    const call = JSON.stringify(input);
    const answer = output === undefined ? "" : ` → ${JSON.stringify(output)}`;
    return when === undefined ? `- ${call}${answer}` : `- ${when}: ${call}${answer}`;
  });
  return `${description}\n\nExamples:\n${lines.join("\n")}`;
}
