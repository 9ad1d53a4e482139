import type { FunctionTool, ToolOutputImage, ToolOutputText } from "@openai/agents";
import type { BoundPrompt, RenderedTool } from "@wink/prompt";
import { describeTool } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import { loadSdk } from "../providers/load-sdk.js";
import { fitsStrict, OPENAI_STRICT } from "../providers/strict-schema.js";
import type { ToolOutcome } from "../runtime/call/tool-outcome.js";
import type { InteropOptions } from "./interop-options.js";
import { PromptTools } from "./prompt-tools.js";
import { imagesOf } from "./result-images.js";

type JsonObject = Extract<FunctionTool["parameters"], { additionalProperties: true }>;

/** The type that the SDK's `tool` function returns for a WINK tool. */
export type OpenAIAgentsTool = FunctionTool<unknown, JsonObject, string>;

/**
 * Converts a prompt's tools for `new Agent({ tools })` of the OpenAI Agents SDK.
 *
 * Each call is a transaction over files and session. A failed call does not throw: its answer
 * reports the error and the rolled-back changes. When a call opens a section, the section's tools
 * are pushed to the returned array, which the SDK reads before each turn. Opens the prompt and
 * does not close it.
 */
export async function toOpenAIAgentsTools(
  prompt: BoundPrompt,
  session: Session,
  options: InteropOptions = {},
): Promise<OpenAIAgentsTool[]> {
  const { tool: defineFunctionTool } = await loadSdk(
    "@openai/agents",
    () => import("@openai/agents"),
  );
  const tools = await PromptTools.open(prompt, session, options, {
    subject: "toOpenAIAgentsTools",
  });
  const list: OpenAIAgentsTool[] = [];
  let calls = 0;
  const offer = () => {
    for (const tool of tools.render().tools)
      if (!list.some(({ name }) => name === tool.name)) list.push(make(tool));
  };
  const make = (tool: RenderedTool): OpenAIAgentsTool => ({
    ...makeLoose(tool),
    // The provider then accepts only arguments that fit the schema.
    strict: fitsStrict(tool.inputSchema, OPENAI_STRICT),
  });
  const makeLoose = (tool: RenderedTool) =>
    defineFunctionTool({
      name: tool.name,
      description: describeTool(tool),
      // The tool validates its own input, so the SDK only needs the schema.
      parameters: structuredClone(tool.inputSchema) as unknown as JsonObject,
      strict: false,
      isEnabled: () => tools.render().tool(tool.name) !== undefined,
      async execute(input, _, details) {
        const toolCallId = details?.toolCall?.callId ?? `call-${++calls}`;
        const call = { toolCallId, toolName: tool.name, arguments: input };
        const outcome = await tools.call(call, details?.signal);
        offer();
        return toAnswer(outcome);
      },
    });
  offer();
  return list;
}

type Answer = string | (ToolOutputText | ToolOutputImage)[];

function toAnswer({ text, result }: ToolOutcome): Answer {
  const images = imagesOf(result);
  if (images.length === 0) return text;
  return [
    { type: "text", text },
    ...images.map(({ data, mediaType }): ToolOutputImage => {
      return { type: "image", image: { data, mediaType } };
    }),
  ];
}
