import type {
  AgentEvent,
  BoundPrompt,
  EvaluatedRun,
  EvaluateOptions,
  EvaluationStream,
  PromptResponse,
  ProviderAdapter,
} from "@wink/prompt";
import { type CallLimits, DEFAULT_CALL_LIMITS } from "../context/limits.js";
import { requireFunction, requireMethod, requireOptions } from "../context/require-options.js";
import { resourceOf } from "../transaction/call-resource.js";
import { RETRY_OPTIONS, type RetryOptions } from "./ask-model.js";
import { CONTEXT_OPTIONS, type ContextOptions } from "./context-window.js";
import { continueEvaluation, type PreparedEvaluation } from "./continue-evaluation.js";
import { EventChannel } from "./event-channel.js";
import type { ModelClient } from "./model-client.js";
import { type ModelPrices, PRICES } from "./model-prices.js";
import { PromptRun } from "./prompt-run.js";
import { requireEvaluation, withSession } from "./require-prompt.js";
import { nextRunNumber } from "./run-number.js";
import { type RunTelemetry, type RunWatch, unwatched, watchedByBoth } from "./run-telemetry.js";
import { recorderOf } from "./session-recorder.js";

export interface ModelAdapterOptions {
  /** Maximum number of turns if `evaluate` does not set one. @default 50 */
  readonly maxTurns?: number | undefined;
  /**
   * How often an answer that does not match the template's output schema is sent back. @default 2
   */
  readonly maxOutputRetries?: number | undefined;
  readonly retry?: RetryOptions | undefined;
  /** Limits for tool calls. @default DEFAULT_CALL_LIMITS */
  readonly limits?: Partial<CallLimits> | undefined;
  /**
   * Receives every error of tools, policies and feedback in full. @default prints it with
   * `console.error`, without keys
   */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
  /**
   * Prices for clients that do not report the cost of a turn, so that budgets can count it.
   * @default unknown
   */
  readonly prices?: ModelPrices | undefined;
  /** How the conversation is kept inside the model's context window. @default as in {@link ContextOptions} */
  readonly context?: ContextOptions | undefined;
  /**
   * Whether the model accepts images. If not, it reads a sentence instead of the images of a tool. @default true
   */
  readonly images?: boolean | undefined;
  /**
   * Observes the runs, for example `openTelemetry()` from `@wink/adapters/telemetry`. @default
   * none
   */
  readonly telemetry?: RunTelemetry | undefined;
}

/** The longest answer of a tool that the transcript and the files of results have in full. */
const STORED_CHARACTERS = 2_000_000;

/** The names of {@link ModelAdapterOptions}. */
export const MODEL_ADAPTER_OPTIONS: readonly string[] = [
  "maxTurns",
  "maxOutputRetries",
  "retry",
  "limits",
  "onError",
  "prices",
  "images",
  "context",
  "telemetry",
] satisfies readonly (keyof ModelAdapterOptions)[];

/** Options that are objects themselves, with their names. */
const NESTED_OPTIONS: readonly (readonly [keyof ModelAdapterOptions, readonly string[]])[] = [
  ["context", CONTEXT_OPTIONS],
  ["retry", RETRY_OPTIONS],
  ["limits", Object.keys(DEFAULT_CALL_LIMITS)],
  ["prices", PRICES],
];

/** Options of an evaluation that continues a run on the session of that run. */
export interface EvaluateRunOptions extends Omit<EvaluateOptions, "session"> {
  readonly run: EvaluatedRun;
}

/**
 * Runs prompts with a model. Renders the prompt, asks the model, runs its tool calls as
 * transactions and repeats, until the model is done or a limit (turns, deadline, budget) is
 * reached.
 */
export class ModelAdapter implements ProviderAdapter {
  readonly name: string;
  readonly #client: ModelClient;
  readonly #options: ModelAdapterOptions;

  constructor(client: ModelClient, options: ModelAdapterOptions = {}) {
    // The adapters of providers have further options and check them.
    if (new.target === ModelAdapter) requireOptions("ModelAdapter", options, MODEL_ADAPTER_OPTIONS);
    for (const [name, known] of NESTED_OPTIONS)
      if (options[name] !== undefined) requireOptions(name, options[name], known);
    requireMethod("model", client, { name: "ask", expected: "a ModelClient with ask()" });
    this.name = client.name;
    this.#client = client;
    this.#options = options;
  }

  /**
   * Rejects with the signal's reason if aborted, with a `ModelError` if the model request fails,
   * and with a `RunError` if the template has an output and the run did not produce it.
   */
  async evaluate<Output>(
    prompt: BoundPrompt<Output>,
    given: EvaluateOptions | EvaluateRunOptions,
  ): Promise<PromptResponse<Output>> {
    const options = withSession(given);
    requireEvaluation(prompt, options);
    if (options.run === undefined) return await this.#evaluate(prompt, { options });
    const prepared = await continueEvaluation(prompt, options);
    return prepared.response ?? (await this.#evaluate(prompt, prepared));
  }

  #evaluate<Output>(
    prompt: BoundPrompt<Output>,
    { options, from }: PreparedEvaluation<Output>,
  ): Promise<PromptResponse<Output>> {
    const { maxTurns = 50, maxOutputRetries = 2, retry = {} } = this.#options;
    const { limits, onError, prices, images = true } = this.#options;
    const { contextWindowTokens: windowTokens } = this.#client;
    const context = { windowTokens, ...this.#options.context };
    // The model sees only parts of a long result, so that more of it can be stored.
    const stored = { maxAnswerCharacters: STORED_CHARACTERS, ...limits };
    const run = from?.run ?? nextRunNumber(options.session);
    if (options.budget !== undefined) resourceOf(options.session).budgets.add(options.budget);
    const execute = (watch: RunWatch) => {
      const running = new PromptRun({
        ...{ adapter: this, client: this.#client, prompt, maxTurns, maxOutputRetries, retry },
        ...{ limits: stored, onError, watch, prices, images, context, run, from },
        options,
      });
      return running.execute();
    };
    const recorder = recorderOf(options);
    const { telemetry = recorder } = this.#options;
    if (telemetry === undefined) return execute(unwatched);
    const isBoth = recorder !== undefined && recorder !== telemetry;
    const watched = isBoth ? watchedByBoth(telemetry, recorder) : telemetry;
    const { session, signal, deadline, budget } = options;
    return watched.run(
      {
        ...{
          adapter: this.name,
          prompt,
          session,
          signal,
          run,
          deadline,
          budget,
          prices,
          context,
          from,
        },
        maxTurns: options.maxTurns ?? maxTurns,
      },
      execute,
    );
  }

  stream<Output>(
    prompt: BoundPrompt<Output>,
    options: EvaluateOptions | EvaluateRunOptions,
  ): EvaluationStream<Output> {
    requireFunction("onEvent", options?.onEvent);
    const events = new EventChannel<AgentEvent>();
    const onEvent = (event: AgentEvent) => {
      events.push(event);
      options.onEvent?.(event);
    };
    const response = this.evaluate(prompt, { ...options, onEvent });
    // The reader of the events also gets the error. This handler also keeps the rejection from
    // being unhandled.
    response.then(
      () => events.end(),
      (error) => events.end({ error }),
    );
    return { response, [Symbol.asyncIterator]: () => events[Symbol.asyncIterator]() };
  }
}
