import type { Budget, Deadline, ProviderAdapter, RenderedPrompt } from "@wink/prompt";
import type { Session } from "@wink/session";
import type { CallLimits } from "../context/limits.js";

/** A call as a model made it. */
export interface ToolCallRequest {
  readonly toolCallId: string;
  readonly toolName: string;
  /** JSON text as the model wrote it, or what somebody parsed of it. */
  readonly arguments: unknown;
}

export interface RunToolCallOptions {
  /** What the model saw when it made the call. */
  readonly rendered: RenderedPrompt;
  readonly call: ToolCallRequest;
  readonly adapter: ProviderAdapter;
  readonly session: Session;
  /** @default none */
  readonly deadline?: Deadline | undefined;
  /** @default none */
  readonly budget?: Budget | undefined;
  /** Ends the call; what it did is undone. @default none */
  readonly signal?: AbortSignal | undefined;
  /** @default DEFAULT_CALL_LIMITS */
  readonly limits?: Partial<CallLimits> | undefined;
  /** Told of what was thrown, in full; the model is not. @default nobody is told */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
}
