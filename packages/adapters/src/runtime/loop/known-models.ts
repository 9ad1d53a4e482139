import { invalid } from "../context/require-options.js";
import type { ModelPrices } from "./model-prices.js";

/** The published facts of a model, and where and when they were read. */
export interface KnownModel {
  readonly prices: ModelPrices;
  /** How many tokens a request and its answer may have together. @default unknown */
  readonly contextWindowTokens?: number | undefined;
  /** The address of the provider's page. */
  readonly source: string;
  /** The day on which the page was read: `2026-11-18`. */
  readonly date: string;
}

const CLAUDE = "https://platform.claude.com/docs/en/about-claude/pricing";
const CLAUDE_MODELS = "https://platform.claude.com/docs/en/models";
const OPENAI = "https://developers.openai.com/api/docs/models";
const date = "2026-11-18";

const claude = (
  inputUsd: number,
  outputUsd: number,
  contextWindowTokens?: number,
  source = CLAUDE,
): KnownModel => ({
  // The page lists writes for 5 minutes at 1.25, writes for an hour at 2, and hits at 0.1 of the price of input.
  prices: {
    ...{ inputUsd, outputUsd, cachedInputUsd: inputUsd / 10 },
    ...{ cacheWriteUsd: inputUsd * 1.25, cacheWriteHourUsd: inputUsd * 2 },
  },
  contextWindowTokens,
  ...{ source, date },
});

/**
 * Standard prices per million tokens, by the names that providers use. A model that is not here has no known price: pass
 * `prices` to the adapter.
 */
export const KNOWN_MODELS: Readonly<Record<string, KnownModel>> = Object.freeze({
  "claude-opus-5": claude(5, 25, 1_000_000, `${CLAUDE_MODELS}/opus-5/overview`),
  "claude-opus-4-8": claude(5, 25, 1_000_000),
  "claude-opus-4-7": claude(5, 25),
  "claude-opus-4-6": claude(5, 25, 1_000_000),
  "claude-opus-4-5": claude(5, 25),
  "claude-sonnet-5": claude(2, 10, 1_000_000, `${CLAUDE_MODELS}/sonnet-5/overview`),
  "claude-sonnet-4-6": claude(3, 15),
  "claude-sonnet-4-5": claude(3, 15),
  "claude-haiku-4-5": claude(1, 5),
  "gpt-5.1": {
    prices: { inputUsd: 1.25, outputUsd: 10, cachedInputUsd: 0.125 },
    contextWindowTokens: 400_000,
    ...{ source: `${OPENAI}/gpt-5.1`, date },
  },
});

/** The facts of a model, also by a dated name such as `claude-opus-4-5-20251101`. `undefined` if they are unknown. */
export function findKnownModel(model: string): KnownModel | undefined {
  if (typeof model !== "string") throw invalid("findKnownModel", "pass the name of a model.");
  const undated = model.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d)$/, "");
  return Object.hasOwn(KNOWN_MODELS, undated) ? KNOWN_MODELS[undated] : undefined;
}
