import type { Budget, Deadline, OnApproval, ProviderAdapter, RenderedPrompt } from "@wink/prompt";
import type { Session } from "@wink/session";
import type { CallLimits } from "../context/limits.js";

/** A tool call that a model made. */
export interface ToolCallRequest {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The model's JSON text, or the parsed value. */
  readonly arguments: unknown;
}

export interface RunToolCallOptions {
  /** The prompt that the model saw when it made the call. */
  readonly rendered: RenderedPrompt;
  readonly call: ToolCallRequest;
  readonly adapter: ProviderAdapter;
  readonly session: Session;
  /** The evaluation of the session that makes the call, counted from 1. @default none */
  readonly run?: number | undefined;
  /** The turn of the model that made the call, counted from 0. @default none */
  readonly turn?: number | undefined;
  /** Called when the call counts against the budget: its handler is about to run. @default none */
  readonly onAccept?: (() => void) | undefined;
  /** Asks a person about a call that needs approval. @default no one is asked, and the call is denied */
  readonly onApproval?: OnApproval | undefined;
  /** @default none */
  readonly deadline?: Deadline | undefined;
  /** @default none */
  readonly budget?: Budget | undefined;
  /** Cancels the call and rolls it back. @default none */
  readonly signal?: AbortSignal | undefined;
  /** @default DEFAULT_CALL_LIMITS */
  readonly limits?: Partial<CallLimits> | undefined;
  /**
   * Receives every thrown error in full. The model does not see it. @default prints it with
   * `console.error`, without keys, unless the model reads its message
   */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
}
