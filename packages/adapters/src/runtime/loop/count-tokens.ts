import { clip } from "../context/clip.js";
import type { ModelMessage, ModelRequest, ModelUsage } from "./model-client.js";

/**
 * Estimates for text and images. Source code has 3 to 4 bytes per token, and a Chinese or Japanese character, which has 3
 * bytes, is about one token. An image of a megapixel has about 1,600 tokens with the largest providers.
 */
const BYTES_PER_TOKEN = 3;
const TOKENS_PER_IMAGE = 1_600;
/** For roles and separators. */
const TOKENS_PER_MESSAGE = 4;

/** How many tokens a request has, estimated. */
export function estimateTokens({
  instructions,
  tools,
  messages,
}: Omit<ModelRequest, "outputSchema">): number {
  let tokens = tokensOfText(instructions) + tokensOfTools(tools);
  for (const message of messages) tokens += tokensOf(message);
  return Math.ceil(tokens);
}

export function tokensOfTools(tools: ModelRequest["tools"]): number {
  let tokens = 0;
  for (const { name, description, inputSchema } of tools)
    tokens += tokensOfText(name + description) + jsonTokens(inputSchema);
  return tokens;
}

/**
 * How many tokens the provider counted for each estimated one. `undefined` if it counts none. A wrong count must not make
 * the estimate useless, so the ratio has bounds.
 */
export function tokenRatio(
  request: Parameters<typeof estimateTokens>[0],
  { inputTokens }: Pick<ModelUsage, "inputTokens">,
): number | undefined {
  if (inputTokens === 0) return undefined;
  return Math.min(6, Math.max(0.25, inputTokens / estimateTokens(request)));
}

export function tokensOf(message: ModelMessage): number {
  const images = "images" in message ? (message.images?.length ?? 0) : 0;
  const extra = message.role === "assistant" ? assistantTokens(message) : 0;
  return tokensOfText(message.text) + extra + images * TOKENS_PER_IMAGE + TOKENS_PER_MESSAGE;
}

export function tokensOfText(text: string): number {
  return Buffer.byteLength(text) / BYTES_PER_TOKEN;
}

/** The text, or its head and tail if it has more tokens. */
export function clipToTokens(text: string, maxTokens: number): string {
  const tokens = tokensOfText(text);
  if (tokens <= maxTokens) return text;
  return clip(text, Math.floor((text.length * maxTokens) / tokens));
}

/** The provider's own data repeats the text and the calls, so the longer of both counts. */
function assistantTokens({ text, toolCalls, providerData }: ModelMessage & { role: "assistant" }) {
  const calls = toolCalls.reduce(
    (sum, { toolName, arguments: input }) => sum + tokensOfText(toolName + input) + 7,
    0,
  );
  if (providerData === undefined) return calls;
  return Math.max(calls, jsonTokens(providerData) - tokensOfText(text));
}

function jsonTokens(value: object): number {
  return tokensOfText(JSON.stringify(value));
}
