import type { ModelUsage } from "./model-client.js";

/** A model's prices in US dollars per million tokens. */
export interface ModelPrices {
  readonly inputUsd: number;
  readonly outputUsd: number;
  /** The price of input tokens from the provider's cache. @default inputUsd */
  readonly cachedInputUsd?: number | undefined;
  /** The price of input tokens that are written to the provider's cache. @default inputUsd */
  readonly cacheWriteUsd?: number | undefined;
  /** The price of input tokens that are cached for an hour. @default cacheWriteUsd */
  readonly cacheWriteHourUsd?: number | undefined;
}

/** The names of {@link ModelPrices}. */
export const PRICES: readonly string[] = Object.keys({
  inputUsd: true,
  outputUsd: true,
  cachedInputUsd: true,
  cacheWriteUsd: true,
  cacheWriteHourUsd: true,
} satisfies Record<keyof ModelPrices, true>);

/** The cost of a turn: as the client reports it, else computed from the prices, else unknown. */
export function costOf(usage: ModelUsage, prices: ModelPrices | undefined): number | undefined {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const { cacheWriteHourTokens = 0 } = usage;
  if (usage.costUsd !== undefined || prices === undefined) return usage.costUsd;
  const { inputUsd, outputUsd, cachedInputUsd = inputUsd, cacheWriteUsd = inputUsd } = prices;
  const { cacheWriteHourUsd = cacheWriteUsd } = prices;
  const fresh = inputTokens - cachedInputTokens - cacheWriteTokens;
  const short = cacheWriteTokens - cacheWriteHourTokens;
  const written = short * cacheWriteUsd + cacheWriteHourTokens * cacheWriteHourUsd;
  const cached = cachedInputTokens * cachedInputUsd + written;
  return (fresh * inputUsd + cached + outputTokens * outputUsd) / 1_000_000;
}
