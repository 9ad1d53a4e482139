import type { AgentEvent, BoundPrompt, PromptResponse, ProviderAdapter } from "@wink/prompt";
import { Session } from "@wink/session";
import { RunError } from "../error/run-error.js";
import {
  requireFunction,
  requireMethod,
  requireOptions,
} from "../runtime/context/require-options.js";
import type { RequestHandler } from "./request-handler.js";
import type { QueuedRequest } from "./request-queue.js";

export interface EvaluateRequestsOptions<Body, Output> {
  readonly adapter: ProviderAdapter;
  /** Creates the prompt of a request. The prompt is opened for the run and closed after it. */
  readonly prompt: (
    request: QueuedRequest<Body>,
    session: Session,
  ) => BoundPrompt<Output> | Promise<BoundPrompt<Output>>;
  /**
   * Returns the session of a request, for example a persisted one from an earlier attempt.
   * @default a new session
   */
  readonly session?: ((request: QueuedRequest<Body>) => Session | Promise<Session>) | undefined;
  /**
   * Receives the response of a completed run. If it throws, the attempt fails. @default the
   * response is ignored
   */
  readonly onResponse?:
    | ((
        response: PromptResponse<Output>,
        request: QueuedRequest<Body>,
        session: Session,
      ) => unknown)
    | undefined;
  /** @default events are ignored */
  readonly onEvent?: ((event: AgentEvent, request: QueuedRequest<Body>) => void) | undefined;
  /** @default the adapter's own limit */
  readonly maxTurns?: number | undefined;
}

const OPTIONS = ["adapter", "prompt", "session", "onResponse", "onEvent", "maxTurns"];

/**
 * A handler for `AgentLoop` that evaluates a prompt for each request, within the request's
 * deadline and budget. A run that stops before the model is done counts as failed.
 */
export function evaluateRequests<Body, Output>(
  options: EvaluateRequestsOptions<Body, Output>,
): RequestHandler<Body> {
  requireOptions("evaluateRequests", options, OPTIONS);
  const { adapter, onResponse, onEvent, maxTurns } = options;
  requireMethod("adapter", adapter, { name: "evaluate", expected: "an adapter" });
  requireFunction("prompt", options.prompt ?? null);
  return async (request, { signal, deadline, budget }) => {
    const session = (await options.session?.(request)) ?? new Session();
    await using prompt = await options.prompt(request, session);
    const response = await adapter.evaluate(prompt, {
      ...{ session, signal, deadline, budget, maxTurns },
      onEvent: (event) => onEvent?.(event, request),
    });
    const { finishReason, text } = response;
    if (finishReason !== "completed") throw new RunError("UNFINISHED", { finishReason, text });
    await onResponse?.(response, request, session);
  };
}
