import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";
import type { ModelMessage, ModelRequest } from "../../runtime/loop/model-client.js";
import { conversationOf, instructionsOf } from "../conversation.js";
import { mergeBody } from "../merge-body.js";
import { omitUndefined } from "../omit-undefined.js";
import { parseCallInput } from "../parse-call-input.js";
import { fitsStrict, OPENAI_STRICT } from "../strict-schema.js";
import type { AiSdkModelOptions } from "./ai-sdk-options.js";
import { aiSdkOptions } from "./ai-sdk-settings.js";

type Options = LanguageModelV3CallOptions;
type AssistantContent = (LanguageModelV3Message & { role: "assistant" })["content"];

/** Converts a request to the call options of an AI SDK model. */
export function callOptions(
  request: ModelRequest,
  given: AiSdkModelOptions,
  abortSignal: AbortSignal,
): Options {
  const options = aiSdkOptions(given, request.settings);
  const { model, temperature, maxOutputTokens, extraOptions } = options;
  const { outputFormat = "schema" } = options;
  const system = instructionsOf(request, outputFormat);
  const call: Options = {
    prompt: [
      { role: "system", content: system },
      ...messagesOf(conversationOf(request), model.specificationVersion),
    ],
    abortSignal,
    // Pings of a provider arrive only as raw chunks. They show that the connection is slow, not
    // dead.
    includeRawChunks: true,
    ...omitUndefined({
      temperature,
      maxOutputTokens,
      tools: toolsOf(request, model.provider),
      responseFormat: outputFormat === "schema" ? formatOf(request) : undefined,
      providerOptions: providerOptionsOf(request, options),
    }),
  };
  // Later fields win: what the run sets is more specific than what the adapter sets.
  const { settings = {} } = request;
  const set = omitUndefined({
    temperature: settings.temperature,
    maxOutputTokens: settings.maxOutputTokens,
    reasoning: model.specificationVersion === "v3" ? undefined : settings.effort,
  });
  const merged = [extraOptions, set].reduce<Options>(mergeBody, call);
  const toolChoice = toolChoiceOf(request);
  return toolChoice === undefined ? merged : { ...merged, toolChoice };
}

function toolsOf({ tools }: ModelRequest, provider: string): Options["tools"] {
  if (tools.length === 0) return undefined;
  // OpenAI makes every tool strict whose request does not say otherwise.
  const isOpenAI = provider.startsWith("openai.");
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    // Both are plain data. The AI SDK's type is for an older draft of JSON Schema.
    inputSchema: { ...inputSchema },
    ...(isOpenAI && { strict: fitsStrict(inputSchema, OPENAI_STRICT) }),
  }));
}

function toolChoiceOf({ settings, tools }: ModelRequest): Options["toolChoice"] {
  const choice = settings?.toolChoice;
  if (choice === undefined || tools.length === 0) return undefined;
  return typeof choice === "object" ? { type: "tool", toolName: choice.tool } : { type: choice };
}

function formatOf({ outputSchema }: ModelRequest): Options["responseFormat"] {
  if (outputSchema === null) return undefined;
  return { type: "json", name: "output", schema: { ...outputSchema } };
}

/** The OpenAI provider treats every schema as strict, and the API refuses schemas that are not. */
function providerOptionsOf(
  { outputSchema }: ModelRequest,
  { providerOptions }: AiSdkModelOptions,
): Options["providerOptions"] {
  const fits = outputSchema === null || fitsStrict(outputSchema, OPENAI_STRICT);
  const all = fits
    ? providerOptions
    : { ...providerOptions, openai: { strictJsonSchema: false, ...providerOptions?.["openai"] } };
  // The caller is responsible for valid provider options.
  return all as Options["providerOptions"];
}

/** Converts the conversation. All tool results of one turn become one message. */
function messagesOf(
  conversation: readonly ModelMessage[],
  version: string,
): readonly LanguageModelV3Message[] {
  const messages: LanguageModelV3Message[] = [];
  for (const message of conversation) {
    const last = messages.at(-1);
    if (message.role === "user")
      messages.push({
        role: "user",
        content: [...filesOf(message, version), { type: "text", text: message.text }],
      });
    else if (message.role === "assistant")
      messages.push({ role: "assistant", content: contentOf(message) });
    else if (last?.role === "tool") last.content.push(resultOf(message, version));
    else messages.push({ role: "tool", content: [resultOf(message, version)] });
  }
  return messages;
}

function filesOf(
  { images = [] }: ModelMessage & { role: "user" },
  version: string,
): (LanguageModelV3Message & { role: "user" })["content"] {
  return images.map(({ mediaType, data }) => ({
    type: "file",
    mediaType,
    // The two versions have different forms for the same data.
    data: (version === "v3" ? data : { type: "data", data }) as string,
  }));
}

function contentOf(message: ModelMessage & { role: "assistant" }): AssistantContent {
  const original = message.providerData?.["aiSdk"];
  // Written by `readStreamTurn` and not changed since.
  if (Array.isArray(original)) return original as AssistantContent;
  const { text, toolCalls } = message;
  const calls = toolCalls.map((call) => ({
    type: "tool-call" as const,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    input: parseCallInput(call.arguments),
  }));
  return text === "" ? calls : [{ type: "text", text }, ...calls];
}

function resultOf(
  { toolCallId, toolName, text, success, images = [] }: ModelMessage & { role: "tool" },
  version: string,
): LanguageModelV3ToolResultPart {
  const result = { type: "tool-result", toolCallId, toolName } as const;
  if (images.length === 0)
    return { ...result, output: { type: success ? "text" : "error-text", value: text } };
  const pictures = images.map(({ mediaType, data }) =>
    version === "v3"
      ? { type: "image-data" as const, mediaType, data }
      : { type: "file" as const, mediaType, data: { type: "data" as const, data } },
  );
  const value = [{ type: "text" as const, text }, ...pictures];
  // Only images have different formats in the two versions.
  return {
    ...result,
    output: { type: "content", value } as LanguageModelV3ToolResultPart["output"],
  };
}
