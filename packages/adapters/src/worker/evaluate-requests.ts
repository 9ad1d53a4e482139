import type { AgentEvent, BoundPrompt, PromptResponse, ProviderAdapter } from "@wink/prompt";
import { Session } from "@wink/session";
import { RunError } from "../runtime/loop/run-error.js";
import type { RequestHandler } from "./request-handler.js";
import type { QueuedRequest } from "./request-queue.js";

export interface EvaluateRequestsOptions<Body, Output> {
  readonly adapter: ProviderAdapter;
  /** The prompt of a request. It is opened for the run and closed after it. */
  readonly prompt: (
    request: QueuedRequest<Body>,
    session: Session,
  ) => BoundPrompt<Output> | Promise<BoundPrompt<Output>>;
  /** The session of a request, such as one from disk that an earlier attempt began. @default a new one */
  readonly session?: ((request: QueuedRequest<Body>) => Session | Promise<Session>) | undefined;
  /** Takes the answer of a run that is done. What it throws counts as a failure of the request. @default nobody does */
  readonly onResponse?:
    | ((
        response: PromptResponse<Output>,
        request: QueuedRequest<Body>,
        session: Session,
      ) => unknown)
    | undefined;
  /** @default nobody is told */
  readonly onEvent?: ((event: AgentEvent, request: QueuedRequest<Body>) => void) | undefined;
  /** @default the adapter's own limit */
  readonly maxTurns?: number | undefined;
}

/**
 * A handler for `AgentLoop` that evaluates a prompt for each request, within its
 * deadline and budget. A run that ends before the model is done has failed.
 */
export function evaluateRequests<Body, Output>(
  options: EvaluateRequestsOptions<Body, Output>,
): RequestHandler<Body> {
  const { adapter, onResponse, onEvent, maxTurns } = options;
  return async (request, { signal, deadline, budget }) => {
    const session = (await options.session?.(request)) ?? new Session();
    await using prompt = await options.prompt(request, session);
    const response = await adapter.evaluate(prompt, {
      ...{ session, signal, deadline, budget, maxTurns },
      onEvent: (event) => onEvent?.(event, request),
    });
    const { finishReason, text } = response;
    if (finishReason !== "completed") throw new RunError("unfinished", { finishReason, text });
    await onResponse?.(response, request, session);
  };
}
