import type { Budget, Deadline } from "@wink/prompt";
import type { QueuedRequest } from "./request-queue.js";

/** What the handler of a request may rely on. */
export interface RequestContext {
  /**
   * Aborts when the work is to stop: at the deadline, when the request was lost to another
   * worker, and when the loop is closed and its grace is over. What is still done then is in vain.
   */
  readonly signal: AbortSignal;
  readonly deadline: Deadline | undefined;
  /** What all attempts so far have left. */
  readonly budget: Budget | undefined;
}

/**
 * Does the work of a request. It is done when this resolves, and tried again when it rejects.
 * A request can come more than once, since a worker may die after the work and before it could say so.
 */
export type RequestHandler<Body = unknown> = (
  request: QueuedRequest<Body>,
  context: RequestContext,
) => Promise<unknown>;
