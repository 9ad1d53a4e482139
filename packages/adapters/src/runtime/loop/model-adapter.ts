import type {
  AgentEvent,
  BoundPrompt,
  EvaluateOptions,
  EvaluationStream,
  PromptResponse,
  ProviderAdapter,
} from "@wink/prompt";
import type { CallLimits } from "../context/limits.js";
import type { RetryOptions } from "./ask-model.js";
import { EventChannel } from "./event-channel.js";
import type { ModelClient } from "./model-client.js";
import type { ModelPrices } from "./model-prices.js";
import { PromptRun } from "./prompt-run.js";
import { type RunTelemetry, type RunWatch, unwatched } from "./run-telemetry.js";

export interface ModelAdapterOptions {
  /** How often the model may be asked where `evaluate` does not say. @default 50 */
  readonly maxTurns?: number | undefined;
  /** How often an answer that does not fit the template's output is sent back. @default 2 */
  readonly maxOutputRetries?: number | undefined;
  readonly retry?: RetryOptions | undefined;
  /** Bounds of tool calls. @default DEFAULT_CALL_LIMITS */
  readonly limits?: Partial<CallLimits> | undefined;
  /** Told of what tools, policies and feedback threw, in full. @default nobody is told */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
  /** For models whose client does not say what a turn cost, so that it counts in budgets. @default not known */
  readonly prices?: ModelPrices | undefined;
  /** Watches the runs, such as `openTelemetry()` from `@wink/adapters/telemetry`. @default nobody does */
  readonly telemetry?: RunTelemetry | undefined;
}

/**
 * Runs prompts with a model: renders, asks, runs the calls it makes as transactions,
 * answers, until the model is done or the turns, the deadline or the budget are.
 */
export class ModelAdapter implements ProviderAdapter {
  readonly name: string;
  readonly #client: ModelClient;
  readonly #options: ModelAdapterOptions;

  constructor(client: ModelClient, options: ModelAdapterOptions = {}) {
    this.name = client.name;
    this.#client = client;
    this.#options = options;
  }

  /**
   * Rejects with the signal's reason when aborted, with a `ModelError` when the model
   * cannot be asked, and with a `RunError` when the template has an output and the run none.
   */
  evaluate<Output>(
    prompt: BoundPrompt<Output>,
    options: EvaluateOptions,
  ): Promise<PromptResponse<Output>> {
    const { maxTurns = 50, maxOutputRetries = 2, retry = {} } = this.#options;
    const { limits, onError, prices } = this.#options;
    const execute = (watch: RunWatch) => {
      const run = new PromptRun({
        ...{ adapter: this, client: this.#client, prompt, maxTurns, maxOutputRetries, retry },
        ...{ limits, onError, watch, prices },
        options,
      });
      return run.execute();
    };
    const { telemetry } = this.#options;
    if (telemetry === undefined) return execute(unwatched);
    const { session, signal } = options;
    return telemetry.run({ adapter: this.name, prompt, session, signal }, execute);
  }

  stream<Output>(prompt: BoundPrompt<Output>, options: EvaluateOptions): EvaluationStream<Output> {
    const events = new EventChannel<AgentEvent>();
    const onEvent = (event: AgentEvent) => {
      events.push(event);
      options.onEvent?.(event);
    };
    const response = this.evaluate(prompt, { ...options, onEvent });
    // The reader of the events gets the error too, so it is never lost and never unhandled.
    response.then(
      () => events.end(),
      (error) => events.end({ error }),
    );
    return { response, [Symbol.asyncIterator]: () => events[Symbol.asyncIterator]() };
  }
}
