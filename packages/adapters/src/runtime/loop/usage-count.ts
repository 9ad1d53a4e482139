import type { Budget, RunUsage } from "@wink/prompt";
import type { ModelUsage } from "./model-client.js";
import { costOf, type ModelPrices } from "./model-prices.js";

const NO_USAGE: RunUsage = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  costUsd: undefined,
  toolCalls: 0,
  turns: 0,
});

/** Counts the usage of a run. */
export class UsageCount {
  readonly #budget: Budget | undefined;
  readonly #prices: ModelPrices | undefined;
  #usage: RunUsage;

  /** @param before what earlier processes used, which the budget has counted already */
  constructor(budget: Budget | undefined, prices: ModelPrices | undefined, before = NO_USAGE) {
    this.#budget = budget;
    this.#prices = prices;
    this.#usage = before;
  }

  get total(): RunUsage {
    return this.#usage;
  }

  /** @param purpose `summary` if the request was not a turn of the conversation */
  addTurn(usage: ModelUsage, purpose?: "summary"): void {
    const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage;
    const { cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
    const costUsd = costOf(usage, this.#prices);
    const before = this.#usage;
    this.#usage = Object.freeze({
      ...before,
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens,
      cachedInputTokens: before.cachedInputTokens + cachedInputTokens,
      ...(cacheWriteTokens > 0 && {
        cacheWriteTokens: (before.cacheWriteTokens ?? 0) + cacheWriteTokens,
      }),
      ...(reasoningTokens > 0 && {
        reasoningTokens: (before.reasoningTokens ?? 0) + reasoningTokens,
      }),
      costUsd: costUsd === undefined ? before.costUsd : (before.costUsd ?? 0) + costUsd,
      turns: before.turns + (purpose === undefined ? 1 : 0),
    });
    this.#budget?.spend({ tokens: inputTokens + outputTokens, costUsd: costUsd ?? 0 });
  }

  /** Counts a call whose handler runs, like the budget does. */
  addToolCall(): void {
    this.#usage = Object.freeze({ ...this.#usage, toolCalls: this.#usage.toolCalls + 1 });
  }
}
