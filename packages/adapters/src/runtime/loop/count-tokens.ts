import type { ModelMessage, ModelRequest, ModelUsage } from "./model-client.js";

/**
 * Estimates for text and images. Source code has 3 to 4 characters per token, so 3 overestimates a little. An image of a
 * megapixel has about 1,600 tokens with the largest providers.
 */
export const CHARACTERS_PER_TOKEN = 3;
const TOKENS_PER_IMAGE = 1_600;
/** For roles and separators. */
const TOKENS_PER_MESSAGE = 4;

/** How many tokens a request has, estimated. */
export function estimateTokens({
  instructions,
  tools,
  messages,
}: Omit<ModelRequest, "outputSchema">): number {
  let tokens = instructions.length / CHARACTERS_PER_TOKEN;
  for (const { name, description, inputSchema } of tools)
    tokens += (name.length + description.length + jsonLength(inputSchema)) / CHARACTERS_PER_TOKEN;
  for (const message of messages) tokens += tokensOf(message);
  return Math.ceil(tokens);
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
  const extra = message.role === "assistant" ? assistantLength(message) : 0;
  const characters = message.text.length + extra;
  return characters / CHARACTERS_PER_TOKEN + images * TOKENS_PER_IMAGE + TOKENS_PER_MESSAGE;
}

/** The provider's own data repeats the text and the calls, so the longer of both counts. */
function assistantLength({ text, toolCalls, providerData }: ModelMessage & { role: "assistant" }) {
  const calls = toolCalls.reduce(
    (sum, { toolName, arguments: input }) => sum + toolName.length + input.length + 20,
    0,
  );
  if (providerData === undefined) return calls;
  return Math.max(calls, jsonLength(providerData) - text.length);
}

function jsonLength(value: object): number {
  return JSON.stringify(value).length;
}
