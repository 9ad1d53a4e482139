import type { JsonSchema, ToolImage } from "@wink/prompt";

/** A call as a model wrote it. */
export interface ModelToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** JSON text, exactly as it came. */
  readonly arguments: string;
}

/**
 * What a provider wants to have back with the next request, such as the signed
 * thoughts of a model. Plain JSON, kept as it came and read by nobody else.
 */
export type ProviderData = Readonly<Record<string, unknown>>;

/** What was said so far, oldest first. */
export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      /** As the turn had it. @default none */
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

/** Everything that a model is shown for one turn. Plain data. */
export interface ModelRequest {
  /** The rendered prompt. */
  readonly instructions: string;
  readonly tools: readonly ModelTool[];
  readonly messages: readonly ModelMessage[];
  /** What the last answer must be, as JSON text; `null` when any text will do. */
  readonly outputSchema: JsonSchema | null;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** @default 0 */
  readonly cachedInputTokens?: number | undefined;
  /** @default not known */
  readonly costUsd?: number | undefined;
}

/** What a model said in one turn. It wants to be asked again exactly when it made calls. */
export interface ModelTurn {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly usage: ModelUsage;
  /** Why it stopped: of its own accord, at the limit of its output, or because it would not. */
  readonly stopReason: "end" | "length" | "refused";
  /** What the provider wants to have back with this turn. @default nothing */
  readonly providerData?: ProviderData | undefined;
}

export interface AskOptions {
  /** Aborts when the answer is no longer wanted; `ask` then rejects. */
  readonly signal: AbortSignal;
  /** Told of the text as it comes. */
  readonly onText: (text: string) => void;
}

/**
 * A model, as the loop needs it: one turn at a time.
 *
 * An implementer throws a `ModelError` for whatever the provider did wrong, and does
 * not try again: the loop does.
 */
export interface ModelClient {
  /** Short name for logs, such as `anthropic`. */
  readonly name: string;
  ask(request: ModelRequest, options: AskOptions): Promise<ModelTurn>;
}
