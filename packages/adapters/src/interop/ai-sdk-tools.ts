import { type BoundPrompt, describeTool, type RenderedTool, type ToolImage } from "@wink/prompt";
import type { Session } from "@wink/session";
import type { JSONSchema7, JSONValue, Tool, ToolExecutionOptions, ToolSet } from "ai";
import type { InteropOptions } from "./interop-options.js";
import { PromptTools } from "./prompt-tools.js";
import { imagesOf } from "./result-images.js";
import { ToolCallError } from "./tool-call-error.js";

/** What a call of such a tool answers with. Plain data. */
export interface AiSdkToolOutput {
  /** What the model reads. */
  readonly text: string;
  /** What the handler answered with; not there when that is nothing. */
  readonly value?: unknown;
  /** Not there when there are none. */
  readonly images?: readonly ToolImage[];
}

/**
 * A prompt's tools for `generateText` and `streamText` of the AI SDK.
 *
 * Each call is a transaction over files and session. One that fails throws a
 * `ToolCallError`, which the AI SDK keeps as a `tool-error` and tells the model. Tools that
 * come with an opened section are put into the same object, which the AI SDK looks at
 * before each step. Opens the prompt and does not close it.
 */
export async function toAiSdkTools(
  prompt: BoundPrompt,
  session: Session,
  options: InteropOptions = {},
): Promise<ToolSet> {
  // Only here: the adapter that shares this entry needs no more than the provider's types.
  const { jsonSchema } = await import("ai");
  const tools = await PromptTools.open(prompt, session, options);
  const set: ToolSet = {};
  const offer = () => {
    for (const tool of tools.render().tools) set[tool.name] ??= make(tool);
  };
  const make = (tool: RenderedTool): Tool<unknown, AiSdkToolOutput> => ({
    description: describeTool(tool),
    // The tool checks its input itself, and tells the model more of what is wrong.
    inputSchema: jsonSchema(structuredClone(tool.inputSchema) as JSONSchema7),
    async execute(input, { toolCallId, abortSignal }: ToolExecutionOptions) {
      const call = { toolCallId, toolName: tool.name, arguments: input };
      const outcome = await tools.call(call, abortSignal);
      offer();
      if (!outcome.result.success) throw new ToolCallError(outcome);
      const { value } = outcome.result;
      const images = imagesOf(outcome.result);
      return {
        text: outcome.text,
        ...(value === undefined ? {} : { value: value as JSONValue }),
        ...(images.length === 0 ? {} : { images }),
      };
    },
    toModelOutput: ({ output: { text, images = [] } }) =>
      images.length === 0
        ? { type: "text", value: text }
        : {
            type: "content",
            value: [
              { type: "text", text },
              ...images.map(({ data, mediaType }) => ({
                type: "image-data" as const,
                data,
                mediaType,
              })),
            ],
          },
  });
  offer();
  return set;
}
