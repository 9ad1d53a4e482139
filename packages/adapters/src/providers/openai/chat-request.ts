import type { ToolImage } from "@wink/prompt";
import type { OpenAI } from "openai";
import type { ModelMessage, ModelRequest } from "../../runtime/loop/model-client.js";
import { conversationOf, instructionsOf } from "../conversation.js";
import { mergeBody } from "../merge-body.js";
import { omitUndefined } from "../omit-undefined.js";
import { fitsStrict, OPENAI_STRICT } from "../strict-schema.js";
import type { ChatExtras } from "./chat-extras.js";
import type { OpenAIModelOptions } from "./openai-options.js";

type Body = OpenAI.Chat.ChatCompletionCreateParamsStreaming;
type Message = OpenAI.Chat.ChatCompletionMessageParam;
type Picture = OpenAI.Chat.ChatCompletionContentPartImage;

/** Converts a request to the body of the chat completions API. */
export function chatRequest(request: ModelRequest, options: OpenAIModelOptions): Body {
  const { settings } = request;
  const { model, baseURL, reasoning, temperature, maxOutputTokens, extraBody } = options;
  const { outputFormat = "schema", serviceTier } = options;
  // Only OpenAI itself supports the new name.
  const limit = baseURL === undefined ? "max_completion_tokens" : "max_tokens";
  const body: Body = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: "system", content: instructionsOf(request, outputFormat) },
      ...messagesOf(conversationOf(request)),
    ],
    ...omitUndefined({
      temperature,
      service_tier: serviceTier,
      reasoning_effort: reasoning?.effort,
      [limit]: maxOutputTokens,
      tools: toolsOf(request),
      response_format: outputFormat === "schema" ? formatOf(request) : undefined,
    }),
  };
  // Later fields win: what the run sets is more specific than what the adapter sets.
  const set = omitUndefined({
    temperature: settings?.temperature,
    service_tier: settings?.serviceTier,
    reasoning_effort: settings?.effort,
    [limit]: settings?.maxOutputTokens,
  });
  const merged = [extraBody, set].reduce<Body>(mergeBody, body);
  const choice = toolChoiceOf(request);
  const own = settings?.providerOptions?.["openai"];
  return mergeBody(choice === undefined ? merged : { ...merged, tool_choice: choice }, own);
}

function toolChoiceOf({ settings, tools }: ModelRequest): Body["tool_choice"] {
  const choice = settings?.toolChoice;
  if (choice === undefined || tools.length === 0) return undefined;
  return typeof choice === "object"
    ? { type: "function", function: { name: choice.tool } }
    : choice;
}

function toolsOf({ tools }: ModelRequest): Body["tools"] {
  if (tools.length === 0) return undefined;
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: {
      name,
      description,
      parameters: { ...inputSchema },
      ...(fitsStrict(inputSchema, OPENAI_STRICT) && { strict: true }),
    },
  }));
}

function formatOf({ outputSchema }: ModelRequest): Body["response_format"] {
  if (outputSchema === null) return undefined;
  const strict = fitsStrict(outputSchema, OPENAI_STRICT);
  return {
    type: "json_schema",
    json_schema: { name: "output", schema: { ...outputSchema }, strict },
  };
}

function messagesOf(conversation: readonly ModelMessage[]): readonly Message[] {
  const messages: Message[] = [];
  let pictures: (OpenAI.Chat.ChatCompletionContentPartText | Picture)[] = [];
  const showPictures = () => {
    if (pictures.length > 0) messages.push({ role: "user", content: pictures });
    pictures = [];
  };
  for (const message of conversation) {
    // The tool results of one turn must be consecutive, so their images follow after the last
    // one.
    if (message.role !== "tool") showPictures();
    messages.push(messageOf(message));
    if (message.role === "tool") pictures.push(...picturesOf(message));
  }
  showPictures();
  return messages;
}

function messageOf(message: ModelMessage): Message {
  if (message.role === "user") return { role: "user", content: userContent(message) };
  if (message.role === "tool")
    return { role: "tool", tool_call_id: message.toolCallId, content: message.text };
  const { text, toolCalls, providerData } = message;
  // Written by `readChatTurn` and not changed since.
  const extras = providerData?.["openaiChat"] as ChatExtras | undefined;
  if (toolCalls.length === 0) return { role: "assistant", content: text, ...extras?.lasting };
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...extras?.lasting,
    ...extras?.untilAnswered,
    tool_calls: toolCalls.map((call) => ({
      ...extras?.calls[call.toolCallId],
      id: call.toolCallId,
      type: "function",
      function: { name: call.toolName, arguments: call.arguments },
    })),
  };
}

function userContent({ text, images = [] }: ModelMessage & { role: "user" }) {
  return images.length === 0 ? text : [...images.map(toPicture), { type: "text" as const, text }];
}

/** In this API a tool result can contain only text, so images are sent as a user message. */
function picturesOf({ toolCallId, images = [] }: ModelMessage & { role: "tool" }) {
  if (images.length === 0) return [];
  return [
    { type: "text" as const, text: `What call ${toolCallId} shows:` },
    ...images.map(toPicture),
  ];
}

function toPicture({ mediaType, data }: ToolImage): Picture {
  return { type: "image_url", image_url: { url: `data:${mediaType};base64,${data}` } };
}
