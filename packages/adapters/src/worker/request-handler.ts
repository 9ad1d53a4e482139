import type { Budget, Deadline } from "@wink/prompt";
import type { QueuedRequest } from "./request-queue.js";

/** What a request handler gets. */
export interface RequestContext {
  /**
   * Aborts when the work must stop: at the deadline, when the lease is lost to another worker,
   * and when the loop is closed and its grace period is over. Work done after that is discarded.
   */
  readonly signal: AbortSignal;
  /**
   * Aborts when the loop starts to close, before its grace period. A handler whose work is stored
   * can then finish its turn and throw: the request returns to the queue, and the attempt does not
   * count.
   */
  readonly closing: AbortSignal;
  /**
   * Makes the request due again after `delayMs` when the handler resolves, without counting the
   * attempt. For work that cannot start now, for example because another worker has the run.
   */
  readonly postpone: (delayMs: number) => void;
  readonly deadline: Deadline | undefined;
  /** The remaining budget after all earlier attempts. */
  readonly budget: Budget | undefined;
}

/**
 * Processes a request. If it resolves, the request is done; if it rejects, the request is
 * retried. The same request can arrive more than once, because a worker may die after the work
 * and before it reports the end.
 */
export type RequestHandler<Body = unknown> = (
  request: QueuedRequest<Body>,
  context: RequestContext,
) => Promise<unknown>;
