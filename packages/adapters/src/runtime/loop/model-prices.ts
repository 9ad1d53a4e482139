import type { ModelUsage } from "./model-client.js";

/** A model's prices in US dollars per million tokens. */
export interface ModelPrices {
  readonly inputUsd: number;
  readonly outputUsd: number;
  /** The price of input tokens from the provider's cache. @default inputUsd */
  readonly cachedInputUsd?: number | undefined;
}

/** The cost of a turn: as the client reports it, else computed from the prices, else unknown. */
export function costOf(usage: ModelUsage, prices: ModelPrices | undefined): number | undefined {
  const { inputTokens, outputTokens, cachedInputTokens = 0, costUsd } = usage;
  if (costUsd !== undefined || prices === undefined) return costUsd;
  const { inputUsd, outputUsd, cachedInputUsd = inputUsd } = prices;
  const fresh = inputTokens - cachedInputTokens;
  const millionths =
    fresh * inputUsd + cachedInputTokens * cachedInputUsd + outputTokens * outputUsd;
  return millionths / 1_000_000;
}
