import type { Session } from "@wink/session";
import type { Budget } from "../budget/budget.js";
import type { Deadline } from "../budget/deadline.js";
import type { AgentEvent } from "./agent-event.js";
import type { BoundPrompt } from "./bound-prompt.js";

export interface EvaluateOptions {
  readonly session: Session;
  /** @default none */
  readonly deadline?: Deadline | undefined;
  /** @default none */
  readonly budget?: Budget | undefined;
  /** Ends the run; `evaluate` then rejects with the signal's reason. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Told of everything that happens, as it happens. @default nobody is told */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  /** How often the model may be asked. @default the adapter's own limit */
  readonly maxTurns?: number | undefined;
}

/** Why the model was not asked again. */
export type FinishReason =
  | "completed"
  | "max-turns"
  | "deadline"
  | "budget"
  | "length"
  | "refused"
  | "error";

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input, what the provider had in its cache. */
  readonly cachedInputTokens: number;
  /** `undefined` when the adapter does not know the price. */
  readonly costUsd: number | undefined;
  readonly toolCalls: number;
  readonly turns: number;
}

export interface PromptResponse<Output = unknown> {
  /** The last text of the model. */
  readonly text: string;
  /** What the template's `output` says, checked by it. `undefined` when the template has none. */
  readonly output: Output;
  readonly usage: Usage;
  readonly finishReason: FinishReason;
}

/** A run that tells of itself while it goes on. */
export interface EvaluationStream<Output = unknown> extends AsyncIterable<AgentEvent> {
  /** Settles when the run is over, whether or not the events were read. */
  readonly response: Promise<PromptResponse<Output>>;
}

/**
 * Runs a prompt with a model: renders, asks, runs the tools it calls, and again.
 *
 * Unknown tools, bad arguments, denied calls and handlers that throw are answers
 * to the model and not the end of the run. An implementer may rely on the prompt
 * being bound. It opens the prompt and does not close it, and renders again before
 * each turn, since the session may have changed.
 * A run of a template with an `output` that ends without one rejects, so that
 * `output` is what its type says.
 */
export interface ProviderAdapter {
  /** Short name for logs, such as `anthropic`. */
  readonly name: string;
  evaluate<Output>(
    prompt: BoundPrompt<Output>,
    options: EvaluateOptions,
  ): Promise<PromptResponse<Output>>;
  stream<Output>(prompt: BoundPrompt<Output>, options: EvaluateOptions): EvaluationStream<Output>;
}
