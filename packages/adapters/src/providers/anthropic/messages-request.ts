import type { Anthropic } from "@anthropic-ai/sdk";
import type { ModelSettings, ToolImage } from "@wink/prompt";
import type { ModelMessage, ModelRequest } from "../../runtime/loop/model-client.js";
import { conversationOf, instructionsOf, type OutputFormat } from "../conversation.js";
import { mergeBody } from "../merge-body.js";
import { omitUndefined } from "../omit-undefined.js";
import { parseCallInput } from "../parse-call-input.js";
import { ANTHROPIC_STRICT, fitsStrict } from "../strict-schema.js";
import type { AnthropicModelOptions } from "./anthropic-options.js";

type Body = Anthropic.MessageCreateParamsStreaming;
type Block = Anthropic.ContentBlockParam;
type CacheMark = { readonly cache_control?: Anthropic.CacheControlEphemeral };

/** Converts a request to the body of the messages API. */
export function messagesRequest(request: ModelRequest, options: AnthropicModelOptions): Body {
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
      container: containerOf(request, extraBody),
      output_config: outputConfigOf(request, format, options),
    }),
  };
  const given = [
    extraBody,
    settingsBody(request),
    request.settings?.providerOptions?.["anthropic"],
  ];
  return given.reduce<Body>(mergeBody, body);
}

/** The fields that the run sets. They win over those of the adapter. */
function settingsBody({ settings = {}, tools }: ModelRequest): Readonly<Record<string, unknown>> {
  const { temperature, effort, maxOutputTokens, serviceTier, toolChoice } = settings;
  return omitUndefined({
    temperature,
    max_tokens: maxOutputTokens,
    service_tier: serviceTier,
    output_config: effort && { effort },
    tool_choice: tools.length === 0 ? undefined : toolChoiceOf(toolChoice),
  });
}

function toolChoiceOf(choice: ModelSettings["toolChoice"]) {
  if (choice === undefined) return undefined;
  if (typeof choice === "object") return { type: "tool", name: choice.tool };
  // `undefined` removes a `name` that the adapter's own `tool_choice` may have.
  return { type: choice === "required" ? "any" : choice, name: undefined };
}

/** The container in which the provider's tools worked before. */
function containerOf(
  { messages }: ModelRequest,
  extraBody: AnthropicModelOptions["extraBody"],
): Body["container"] {
  const ids = messages.map((each) =>
    each.role === "assistant" ? each.providerData?.["anthropicContainer"] : undefined,
  );
  const id = ids.findLast((each) => typeof each === "string");
  if (typeof id !== "string") return undefined;
  // The caller's fields, such as skills, are merged with it.
  return typeof extraBody?.["container"] === "object" ? { id } : id;
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
 * merged. The ends of the last two messages of the user are marked for the cache: the provider looks only 20 blocks
 * back from a mark, and a turn can have more. A message that is only in this request comes after the marks.
 */
function messagesOf(
  conversation: readonly ModelMessage[],
  mark: CacheMark,
): Anthropic.MessageParam[] {
  const messages: { role: "user" | "assistant"; content: Block[] }[] = [];
  const trailing = conversation.at(-1);
  const isTrailing = trailing !== undefined && "trailing" in trailing;
  for (const message of isTrailing ? conversation.slice(0, -1) : conversation) add(message);
  const marked = messages.filter(({ role }) => role === "user").slice(-2);
  for (const { content } of marked) markLast(content, mark);
  if (isTrailing) add(trailing);
  return messages.filter((message) => message.content.length > 0);

  function add(message: ModelMessage): void {
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocksOf(message));
    else messages.push({ role, content: [...blocksOf(message)] });
  }
}

function markLast(content: Block[], mark: CacheMark): void {
  const block = content.at(-1);
  if (block?.type === "text" || block?.type === "tool_result")
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
