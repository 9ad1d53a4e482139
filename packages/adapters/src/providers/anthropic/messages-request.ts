import type { Anthropic } from "@anthropic-ai/sdk";
import type { ToolImage } from "@wink/prompt";
import type { ModelMessage, ModelRequest } from "../../runtime/loop/model-client.js";
import { conversationOf, instructionsOf, type OutputFormat } from "../conversation.js";
import { mergeBody } from "../merge-body.js";
import { withSettings } from "../model-settings.js";
import { omitUndefined } from "../omit-undefined.js";
import { parseCallInput } from "../parse-call-input.js";
import { ANTHROPIC_STRICT, fitsStrict } from "../strict-schema.js";
import type { AnthropicModelOptions } from "./anthropic-options.js";

type Body = Anthropic.MessageCreateParamsStreaming;
type Block = Anthropic.ContentBlockParam;
type CacheMark = { readonly cache_control?: Anthropic.CacheControlEphemeral };

/** Converts a request to the body of the messages API. */
export function messagesRequest(request: ModelRequest, given: AnthropicModelOptions): Body {
  const options = withSettings(given, request.settings);
  const { model, maxOutputTokens = 16_000, thinking, extraBody } = options;
  const { promptCaching = true, cacheTtl, temperature, serviceTier } = options;
  const format = formatOf(request, options);
  const mark = cacheMark(promptCaching, cacheTtl);
  const body: Body = {
    model,
    max_tokens: maxOutputTokens,
    stream: true,
    system: [{ type: "text", text: instructionsOf(request, format), ...mark }],
    messages: messagesOf(conversationOf(request), mark),
    ...omitUndefined({
      thinking,
      temperature,
      service_tier: serviceTier,
      tools: toolsOf(request, options),
      tool_choice: toolChoiceOf(request),
      output_config: outputConfigOf(request, format, options),
    }),
  };
  return mergeBody(mergeBody(body, extraBody), request.settings?.providerOptions?.["anthropic"]);
}

function toolChoiceOf({ settings, tools }: ModelRequest): Body["tool_choice"] {
  const choice = settings?.toolChoice;
  if (choice === undefined || choice === "auto" || tools.length === 0) return undefined;
  if (typeof choice === "object") return { type: "tool", name: choice.tool };
  return { type: choice === "required" ? "any" : "none" };
}

function cacheMark(isOn: boolean, ttl: "5m" | "1h" | undefined): CacheMark {
  if (!isOn) return {};
  return { cache_control: { type: "ephemeral", ...omitUndefined({ ttl }) } };
}

/** If the provider cannot enforce the schema, it goes into the instructions. */
function formatOf(
  { outputSchema }: ModelRequest,
  { outputFormat = "schema" }: AnthropicModelOptions,
): OutputFormat {
  if (outputSchema === null) return "schema";
  return fitsStrict(outputSchema, ANTHROPIC_STRICT) ? outputFormat : "instructions";
}

function outputConfigOf(
  { outputSchema }: ModelRequest,
  format: OutputFormat,
  { effort }: AnthropicModelOptions,
): Body["output_config"] {
  const held = outputSchema !== null && format === "schema";
  if (!held && effort === undefined) return undefined;
  return {
    ...omitUndefined({ effort }),
    ...(held && { format: { type: "json_schema", schema: { ...outputSchema } } }),
  };
}

function toolsOf(
  { tools }: ModelRequest,
  { strictTools = false }: AnthropicModelOptions,
): Body["tools"] {
  if (tools.length === 0) return undefined;
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    // `defineTool` guarantees that the input is an object.
    input_schema: { ...inputSchema, type: "object" },
    ...(strictTools && fitsStrict(inputSchema, ANTHROPIC_STRICT) && { strict: true }),
  }));
}

/**
 * Converts the conversation. Roles must alternate, so consecutive messages of one role are
 * merged. The last block is marked for the cache, or the one before a message that is only in this request.
 */
function messagesOf(
  conversation: readonly ModelMessage[],
  mark: CacheMark,
): Anthropic.MessageParam[] {
  const messages: { role: "user" | "assistant"; content: Block[] }[] = [];
  for (const message of conversation) {
    if ("trailing" in message) markLast(messages.at(-1)?.content, mark);
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocksOf(message));
    else messages.push({ role, content: [...blocksOf(message)] });
  }
  const last = conversation.at(-1);
  if (last === undefined || !("trailing" in last)) markLast(messages.at(-1)?.content, mark);
  return messages.filter((message) => message.content.length > 0);
}

function markLast(content: Block[] | undefined, mark: CacheMark): void {
  const block = content?.at(-1);
  if (content !== undefined && (block?.type === "text" || block?.type === "tool_result"))
    content[content.length - 1] = { ...block, ...mark };
}

function blocksOf(message: ModelMessage): readonly Block[] {
  if (message.role === "user") return [...picturesOf(message.images), ...textBlocks(message.text)];
  if (message.role === "tool") return [resultOf(message)];
  const { text, toolCalls, providerData } = message;
  const original = providerData?.["anthropic"];
  // Written by `readMessagesTurn` and not changed since.
  if (Array.isArray(original)) return original as readonly Block[];
  const calls = toolCalls.map((call) => ({
    type: "tool_use" as const,
    id: call.toolCallId,
    name: call.toolName,
    input: parseCallInput(call.arguments),
  }));
  return [...textBlocks(text), ...calls];
}

function picturesOf(images: readonly ToolImage[] = []): Anthropic.ImageBlockParam[] {
  return images.map(({ mediaType, data }) => ({
    type: "image",
    source: { type: "base64", media_type: mediaType, data },
  }));
}

function resultOf({ toolCallId, text, success, images }: ModelMessage & { role: "tool" }) {
  return {
    type: "tool_result" as const,
    tool_use_id: toolCallId,
    ...(!success && { is_error: true }),
    content: [...textBlocks(text), ...picturesOf(images)],
  };
}

/** Returns no block for an empty text, because the provider refuses it. */
function textBlocks(text: string): { type: "text"; text: string }[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}
