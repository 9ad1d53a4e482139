import type { AnswerFacts, JsonSchema, ModelSettings, ToolImage } from "@wink/prompt";

/** A tool call that a model made. */
export interface ModelToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The model's JSON text, unchanged. */
  readonly arguments: string;
}

/**
 * Data that a provider needs back with the next request, such as a model's signed reasoning.
 * Plain JSON, stored unchanged and read only by the provider's client.
 */
export type ProviderData = Readonly<Record<string, unknown>>;

/** A message of the conversation. */
export type ModelMessage =
  | {
      readonly role: "user";
      readonly text: string;
      /** @default none */
      readonly images?: readonly ToolImage[] | undefined;
      /** It is only in this request, as the last message, so its provider must not cache it. @default false */
      readonly trailing?: true | undefined;
    }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      /** The turn's `providerData`. @default none */
      readonly providerData?: ProviderData | undefined;
    }
  | {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly text: string;
      readonly success: boolean;
      /** @default none */
      readonly images?: readonly ToolImage[] | undefined;
    };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** Everything that the model receives for one turn. Plain data. */
export interface ModelRequest {
  /** The rendered prompt. */
  readonly instructions: string;
  readonly tools: readonly ModelTool[];
  readonly messages: readonly ModelMessage[];
  /** The schema of the final answer, which is JSON text. `null` if any text is allowed. */
  readonly outputSchema: JsonSchema | null;
  /** The run's settings. `toolChoice` is set only in the turn to which it applies. @default none */
  readonly settings?: ModelSettings | undefined;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of `inputTokens` that came from the provider's cache. @default 0 */
  readonly cachedInputTokens?: number | undefined;
  /** The part of `inputTokens` that was written to the provider's cache. @default 0 */
  readonly cacheWriteTokens?: number | undefined;
  /** The part of `cacheWriteTokens` that is cached for an hour, at a higher price. @default 0 */
  readonly cacheWriteHourTokens?: number | undefined;
  /** The part of `outputTokens` that the model used for thinking. @default unknown */
  readonly reasoningTokens?: number | undefined;
  /** @default unknown */
  readonly costUsd?: number | undefined;
}

/** A model's answer in one turn. If it contains tool calls, the loop asks the model again. */
export interface ModelTurn extends AnswerFacts {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly usage: ModelUsage;
  /**
   * Why the model stopped: it was done, its output limit was reached, it refused, or the provider paused a long turn,
   * which continues with the next request.
   */
  readonly stopReason: "end" | "length" | "refused" | "paused";
  /** Data that the provider needs back with this turn. @default none */
  readonly providerData?: ProviderData | undefined;
  /** What the model thought, as far as the provider shows it. @default none */
  readonly thoughts?: string | undefined;
}

export interface AskOptions {
  /** Aborts when the caller does not need the answer any longer. Then `ask` rejects. */
  readonly signal: AbortSignal;
  /** Receives the text as it is streamed. */
  readonly onText: (text: string) => void;
  /** Receives what the model thinks as it is streamed, as far as the provider shows it. @default not called */
  readonly onThought?: ((text: string) => void) | undefined;
}

/**
 * A model as the loop needs it: one turn per call.
 *
 * Implementations throw a `ModelError` for provider errors and do not retry, because the loop
 * retries.
 */
export interface ModelClient {
  /** A short name for logs, such as `anthropic`. */
  readonly name: string;
  /** The provider's name in OpenTelemetry's conventions. @default the name */
  readonly provider?: string | undefined;
  /** The model that is asked. @default unknown */
  readonly model?: string | undefined;
  /** How many tokens a request and its answer may have together. @default unknown */
  readonly contextWindowTokens?: number | undefined;
  ask(request: ModelRequest, options: AskOptions): Promise<ModelTurn>;
}
