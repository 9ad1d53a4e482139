import type { ModelSettings, ToolImage } from "@wink/prompt";
import type { OpenAI } from "openai";
import type { ModelMessage, ModelRequest, ProviderData } from "../../runtime/loop/model-client.js";
import { conversationOf, instructionsOf } from "../conversation.js";
import { mergeBody } from "../merge-body.js";
import { omitUndefined } from "../omit-undefined.js";
import { fitsStrict, OPENAI_STRICT } from "../strict-schema.js";
import type { OpenAIModelOptions } from "./openai-options.js";

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type Item = OpenAI.Responses.ResponseInputItem;

const ENCRYPTED: OpenAI.Responses.ResponseIncludable[] = ["reasoning.encrypted_content"];

/** Converts a request to the body of the responses API. */
export function responsesRequest(request: ModelRequest, options: OpenAIModelOptions): Body {
  const { model, reasoning, temperature, maxOutputTokens, extraBody } = options;
  const { settings } = request;
  const own = settings?.providerOptions?.["openai"];
  const { store } = { ...options, ...extraBody, ...own };
  const { outputFormat = "schema", serviceTier } = options;
  const body: Body = {
    model,
    stream: true,
    instructions: instructionsOf(request, outputFormat),
    input: inputOf(conversationOf(request), store),
    ...omitUndefined({
      reasoning,
      temperature,
      store: options.store,
      service_tier: serviceTier,
      max_output_tokens: maxOutputTokens,
      tools: toolsOf(request),
      text: outputFormat === "schema" ? textOf(request) : undefined,
      // If the provider does not store reasoning, it must be returned here so that it can be sent
      // back.
      include: store === false ? ENCRYPTED : undefined,
    }),
  };
  // Later fields win: what the run sets is more specific than what the adapter sets.
  const merged = [extraBody, settingsBody(settings)].reduce<Body>(mergeBody, body);
  const choice = toolChoiceOf(request);
  return mergeBody(choice === undefined ? merged : { ...merged, tool_choice: choice }, own);
}

function settingsBody({ temperature, effort, maxOutputTokens, serviceTier }: ModelSettings = {}) {
  return omitUndefined({
    temperature,
    max_output_tokens: maxOutputTokens,
    service_tier: serviceTier,
    reasoning: effort && { effort },
  });
}

function toolChoiceOf({ settings, tools }: ModelRequest): Body["tool_choice"] {
  const choice = settings?.toolChoice;
  if (choice === undefined || tools.length === 0) return undefined;
  return typeof choice === "object" ? { type: "function", name: choice.tool } : choice;
}

function toolsOf({ tools }: ModelRequest): Body["tools"] {
  if (tools.length === 0) return undefined;
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    parameters: { ...inputSchema },
    strict: fitsStrict(inputSchema, OPENAI_STRICT),
  }));
}

function textOf({ outputSchema }: ModelRequest): Body["text"] {
  if (outputSchema === null) return undefined;
  const strict = fitsStrict(outputSchema, OPENAI_STRICT);
  return { format: { type: "json_schema", name: "output", schema: { ...outputSchema }, strict } };
}

function inputOf(conversation: readonly ModelMessage[], store: unknown): Item[] {
  const items = conversation.flatMap((message) => itemsOf(message, store));
  const callers = new Map<string, Partial<Item>>();
  for (const item of items)
    if (item.type === "function_call" && item.caller)
      callers.set(item.call_id, { caller: item.caller });
  // The result of a call that a program of the provider made goes back to that program.
  return items.map((item) =>
    item.type === "function_call_output" ? { ...item, ...callers.get(item.call_id) } : item,
  ) as Item[];
}

function itemsOf(message: ModelMessage, store: unknown): readonly Item[] {
  if (message.role === "user") return [{ role: "user", content: userContent(message) }];
  if (message.role === "tool") return [outputOf(message)];
  const { text, toolCalls, providerData } = message;
  const original = originalItems(providerData);
  // Reasoning that is neither stored by the provider nor complete here cannot be referenced.
  if (original !== undefined && (store !== false || original.every(isWhole))) return original;
  const calls = toolCalls.map((call) => ({
    type: "function_call" as const,
    call_id: call.toolCallId,
    name: call.toolName,
    arguments: call.arguments,
  }));
  return text === "" ? calls : [{ role: "assistant", content: text }, ...calls];
}

function originalItems(providerData: ProviderData | undefined): readonly Item[] | undefined {
  const items = providerData?.["openai"];
  // Written by `readResponsesTurn` and not changed since.
  return Array.isArray(items) ? (items as readonly Item[]) : undefined;
}

function isWhole(item: Item): boolean {
  return item.type !== "reasoning" || Boolean(item.encrypted_content);
}

function userContent({ text, images = [] }: ModelMessage & { role: "user" }) {
  if (images.length === 0) return text;
  const pictures = images.map((image) => ({ ...toPicture(image), detail: "auto" as const }));
  return [...pictures, { type: "input_text" as const, text }];
}

function toPicture({ mediaType, data }: ToolImage) {
  return { type: "input_image" as const, image_url: `data:${mediaType};base64,${data}` };
}

function outputOf({ toolCallId, text, images = [] }: ModelMessage & { role: "tool" }): Item {
  const pictures = images.map(toPicture);
  return {
    type: "function_call_output",
    call_id: toolCallId,
    output: pictures.length === 0 ? text : [{ type: "input_text", text }, ...pictures],
  };
}
