import type { BoundPrompt, EvaluateOptions, PromptResponse, ProviderAdapter } from "@wink/prompt";
import type { CallLimits } from "../context/limits.js";
import type { RetryOptions } from "./ask-model.js";
import type { ContextOptions } from "./context-window.js";
import type { LoopState } from "./loop-state.js";
import type { ModelClient } from "./model-client.js";
import type { ModelPrices } from "./model-prices.js";
import type { RunWatch } from "./run-telemetry.js";

export interface PromptRunOptions<Output> {
  readonly adapter: ProviderAdapter;
  readonly client: ModelClient;
  readonly prompt: BoundPrompt<Output>;
  readonly options: EvaluateOptions;
  /** Which evaluation on the session: 1, 2, … */
  readonly run: number;
  /** The state from which the evaluation continues. `undefined` for a new evaluation. */
  readonly from: LoopState | undefined;
  readonly maxTurns: number;
  readonly maxOutputRetries: number;
  readonly retry: RetryOptions;
  readonly watch: RunWatch;
  readonly prices: ModelPrices | undefined;
  readonly context: ContextOptions;
  /** Whether the model accepts images. */
  readonly images: boolean;
  readonly limits: Partial<CallLimits> | undefined;
  readonly onError: ((error: unknown, where: string) => void) | undefined;
}

/** Returns the response or throws, and tells listeners that the run is finished. */
export type RunEnd<Output> = () => PromptResponse<Output>;
