import type { Session } from "@wink/session";
import type { Budget } from "../budget/budget.js";
import type { Deadline } from "../budget/deadline.js";
import type { AgentEvent } from "./agent-event.js";
import type { OnApproval } from "./approval.js";
import type { BoundPrompt } from "./bound-prompt.js";
import type { ConversationMessage } from "./conversation-message.js";
import type { ModelSettings } from "./model-settings.js";

export interface EvaluateOptions {
  readonly session: Session;
  /** @default none */
  readonly deadline?: Deadline | undefined;
  /** @default none */
  readonly budget?: Budget | undefined;
  /** Aborts the run; `evaluate` then rejects with the signal's reason. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Called for each event when it happens. @default none */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  /** Maximum number of requests to the model. @default the adapter's own limit */
  readonly maxTurns?: number | undefined;
  /**
   * Asks a person about a call that needs approval, and waits. Questions of concurrent calls may overlap. @default
   * no one is asked: the call is denied and stays in `pendingApprovals`
   */
  readonly onApproval?: OnApproval | undefined;
  /** Messages before the model's first turn: what the user says, after the history if there is one. @default none */
  readonly messages?: readonly ConversationMessage[] | undefined;
  /** Temperature, effort and the like, for this run. @default the adapter's own */
  readonly settings?: ModelSettings | undefined;
  /**
   * Records the whole conversation of the run, for example `openTranscript(file)` from
   * `@wink/adapters/run`. @default the transcript of the run that the session belongs to, else none
   */
  readonly transcript?: RunTranscript | undefined;
  /**
   * Continues this run where its last process stopped, for example a `Run` of `@wink/adapters/run`. Its deadline and
   * budget still count from its start. @default a new evaluation
   */
  readonly run?: EvaluatedRun | undefined;
  /** What happens if the prompt has changed since the run began. @default "refuse" */
  readonly onAgentChanged?: "refuse" | "continue" | undefined;
  /** Whether deadline and budget start again with this process. @default false */
  readonly renewLimits?: boolean | undefined;
}

/** A run that outlives its process. Adapters define what it offers. */
export interface EvaluatedRun {
  readonly session: Session;
}

/** Records the conversation of a run. Adapters define how. */
export interface RunTranscript {
  /** For the adapter that runs the prompt. */
  readonly recorder: object;
}

/** Why the run ended. */
export type FinishReason =
  | "completed"
  /** The completion check still found missing work. */
  | "incomplete"
  | "max-turns"
  | "deadline"
  | "budget"
  | "length"
  | "refused"
  /** The run waits for something outside, such as an approval. It can be continued. */
  | "parked"
  | "error";

/** What a run has used so far. */
export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input tokens that came from the provider's cache. */
  readonly cachedInputTokens: number;
  /** The part of the input tokens that was written to the provider's cache. @default none, or not counted */
  readonly cacheWriteTokens?: number | undefined;
  /** The part of the output tokens that the model used for thinking. @default none, or not counted */
  readonly reasoningTokens?: number | undefined;
  /** `undefined` if the adapter does not know the price. */
  readonly costUsd: number | undefined;
  /** Calls whose handler ran, counted like the budget's `toolCalls`. */
  readonly toolCalls: number;
  readonly turns: number;
}

export interface PromptResponse<Output = unknown> {
  /** The last text of the model. */
  readonly text: string;
  /**
   * The structured answer, validated by the template's `output` schema. `undefined` if the template
   * has none.
   */
  readonly output: Output;
  readonly usage: RunUsage;
  readonly finishReason: FinishReason;
}

/** A run that streams its events. */
export interface EvaluationStream<Output = unknown> extends AsyncIterable<AgentEvent> {
  /** Settles when the run ends, whether or not the events were read. */
  readonly response: Promise<PromptResponse<Output>>;
}

/**
 * Runs a prompt with a model: it renders the prompt, asks the model, runs the tools that the model
 * calls, and repeats.
 *
 * Unknown tools, invalid arguments, denied calls and handlers that throw are answers to the model;
 * they do not end the run. An adapter may rely on the prompt being bound. It opens the prompt but
 * does not close it. It renders again before each turn, because the session may have changed. If
 * the template has an `output` and the run ends without one, the run rejects, so that `output`
 * always has its declared type.
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
