import type { BoundPrompt, RenderedTool, ToolImage } from "@wink/prompt";
import { describeTool } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import type { JSONSchema7, Tool, ToolSet } from "ai";
import { loadSdk } from "../providers/load-sdk.js";
import type { ToolOutcome } from "../runtime/call/tool-outcome.js";
import type { InteropOptions } from "./interop-options.js";
import { PromptTools } from "./prompt-tools.js";
import { imagesOf } from "./result-images.js";
import { ToolCallError } from "./tool-call-error.js";

/** The output of a tool call. Plain data. */
export interface AiSdkToolOutput {
  /** The text that the model reads. */
  readonly text: string;
  /** The value that the handler returned. Missing when the handler returned nothing. */
  readonly value?: unknown;
  /** Missing without images. */
  readonly images?: readonly ToolImage[];
}

type AiSdkTool = Tool<unknown, AiSdkToolOutput>;

/**
 * Converts a prompt's tools for `generateText` and `streamText` of the AI SDK.
 *
 * Each call is a transaction over files and session. A failed call throws a `ToolCallError`,
 * which the AI SDK stores as a `tool-error` and sends to the model. When a call opens a section,
 * the section's tools are added to the returned object, which the AI SDK reads before each step.
 * Opens the prompt and does not close it.
 */
export async function toAiSdkTools(
  prompt: BoundPrompt,
  session: Session,
  options: InteropOptions = {},
): Promise<ToolSet> {
  // Loaded here only, because the adapter of this entry point needs just the provider's types.
  const sdk = await loadSdk("ai", () => import("ai"));
  const { jsonSchema } = sdk;
  // AI SDK 7 has this export. It takes images as files, and warns of the format of AI SDK 6.
  const asFiles = "NoSuchProviderReferenceError" in sdk;
  const tools = await PromptTools.open(prompt, session, options, { subject: "toAiSdkTools" });
  const set: ToolSet = {};
  const offer = () => {
    for (const tool of tools.render().tools)
      if (!Object.hasOwn(set, tool.name)) set[tool.name] = make(tool);
  };
  const make = (tool: RenderedTool): AiSdkTool => ({
    description: describeTool(tool),
    // The tool validates its own input and gives the model better error messages.
    inputSchema: jsonSchema(structuredClone(tool.inputSchema) as JSONSchema7),
    async execute(input, { toolCallId, abortSignal }) {
      const call = { toolCallId, toolName: tool.name, arguments: input };
      const outcome = await tools.call(call, abortSignal);
      offer();
      return toOutput(outcome);
    },
    toModelOutput: ({ output }) => toModelOutput(output, asFiles),
  });
  offer();
  return set;
}

function toOutput(outcome: ToolOutcome): AiSdkToolOutput {
  const { result, text } = outcome;
  if (!result.success) throw new ToolCallError(outcome);
  const { value } = result;
  const images = imagesOf(result);
  return {
    text,
    ...(value === undefined ? {} : { value }),
    ...(images.length === 0 ? {} : { images }),
  };
}

type ModelOutput = Awaited<ReturnType<NonNullable<AiSdkTool["toModelOutput"]>>>;

function toModelOutput({ text, images = [] }: AiSdkToolOutput, asFiles: boolean): ModelOutput {
  if (images.length === 0) return { type: "text", value: text };
  const pictures = images.map(({ data, mediaType }) =>
    asFiles
      ? { type: "file" as const, data: { type: "data" as const, data }, mediaType }
      : { type: "image-data" as const, data, mediaType },
  );
  // The types are those of AI SDK 6.
  return { type: "content", value: [{ type: "text", text }, ...pictures] } as ModelOutput;
}
