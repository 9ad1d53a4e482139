import type { JsonSchema, ToolImage } from "@wink/prompt";

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
  | { readonly role: "user"; readonly text: string }
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
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** @default 0 */
  readonly cachedInputTokens?: number | undefined;
  /** The part of the output tokens that the model used to think. @default unknown */
  readonly reasoningTokens?: number | undefined;
  /** @default unknown */
  readonly costUsd?: number | undefined;
}

/** A model's answer in one turn. If it contains tool calls, the loop asks the model again. */
export interface ModelTurn {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly usage: ModelUsage;
  /** Why the model stopped: it was done, its output limit was reached, or it refused. */
  readonly stopReason: "end" | "length" | "refused";
  /** Data that the provider needs back with this turn. @default none */
  readonly providerData?: ProviderData | undefined;
}

export interface AskOptions {
  /** Aborts when the caller does not need the answer any longer. Then `ask` rejects. */
  readonly signal: AbortSignal;
  /** Receives the text as it is streamed. */
  readonly onText: (text: string) => void;
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
  ask(request: ModelRequest, options: AskOptions): Promise<ModelTurn>;
}
