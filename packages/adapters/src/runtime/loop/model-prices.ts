import type { ModelUsage } from "./model-client.js";

/** What a model costs, in US dollars for a million tokens. */
export interface ModelPrices {
  readonly inputUsd: number;
  readonly outputUsd: number;
  /** For input that the provider had kept. @default inputUsd */
  readonly cachedInputUsd?: number | undefined;
}

/** What a turn cost: as the client says, else by the prices, else not known. */
export function costOf(usage: ModelUsage, prices: ModelPrices | undefined): number | undefined {
  const { inputTokens, outputTokens, cachedInputTokens = 0, costUsd } = usage;
  if (costUsd !== undefined || prices === undefined) return costUsd;
  const { inputUsd, outputUsd, cachedInputUsd = inputUsd } = prices;
  const fresh = inputTokens - cachedInputTokens;
  const millionths =
    fresh * inputUsd + cachedInputTokens * cachedInputUsd + outputTokens * outputUsd;
  return millionths / 1_000_000;
}
