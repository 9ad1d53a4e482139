import type { RenderedPrompt } from "@wink/prompt";
import { describeTool } from "@wink/prompt/adapter";
import type { ModelRequest } from "./model-client.js";

/** The parts of a request that do not depend on the conversation. */
export function requestBase(
  { tools, output }: RenderedPrompt,
  settings: Pick<ModelRequest, "settings">,
): Omit<ModelRequest, "instructions" | "messages"> {
  return {
    tools: tools.map((tool) => ({
      name: tool.name,
      description: describeTool(tool),
      inputSchema: tool.inputSchema,
    })),
    outputSchema: output?.jsonSchema ?? null,
    ...settings,
  };
}
