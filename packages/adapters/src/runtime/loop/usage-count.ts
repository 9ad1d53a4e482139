import type { Budget, RunUsage } from "@wink/prompt";
import type { ModelUsage } from "./model-client.js";
import { costOf, type ModelPrices } from "./model-prices.js";

/** Counts the usage of a run. */
export class UsageCount {
  readonly #budget: Budget | undefined;
  readonly #prices: ModelPrices | undefined;
  #usage: RunUsage = {
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    costUsd: undefined,
    toolCalls: 0,
    turns: 0,
  };

  constructor(budget: Budget | undefined, prices: ModelPrices | undefined) {
    this.#budget = budget;
    this.#prices = prices;
  }

  get total(): RunUsage {
    return this.#usage;
  }

  addTurn(usage: ModelUsage): void {
    const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage;
    const costUsd = costOf(usage, this.#prices);
    const before = this.#usage;
    this.#usage = Object.freeze({
      ...before,
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens,
      cachedInputTokens: before.cachedInputTokens + cachedInputTokens,
      costUsd: costUsd === undefined ? before.costUsd : (before.costUsd ?? 0) + costUsd,
      turns: before.turns + 1,
    });
    this.#budget?.spend({ tokens: inputTokens + outputTokens, costUsd: costUsd ?? 0 });
  }

  /** Counts a call whose handler runs, like the budget does. */
  addToolCall(): void {
    this.#usage = Object.freeze({ ...this.#usage, toolCalls: this.#usage.toolCalls + 1 });
  }
}
