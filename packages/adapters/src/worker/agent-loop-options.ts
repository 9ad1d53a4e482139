import type { Clock } from "./clock.js";
import type { RequestHandler } from "./request-handler.js";
import type { DeadLetterReason, RequestQueue } from "./request-queue.js";

/** What became of a request in a loop. */
export type AgentLoopStep =
  | { readonly type: "started" }
  | { readonly type: "finished" }
  | { readonly type: "retried"; readonly delayMs: number; readonly error: unknown }
  | { readonly type: "buried"; readonly reason: DeadLetterReason; readonly error: unknown }
  /** It goes back to the queue as if it had not been taken. */
  | { readonly type: "given-back" }
  /** It is another worker's by now, or will be. */
  | { readonly type: "lost" };

/** What a loop does with its requests, for logs and counters. */
export type AgentLoopEvent = AgentLoopStep & {
  readonly requestId: string;
  readonly attempt: number;
};

export interface BackOffOptions {
  /** The longest first wait; it doubles with each attempt, and a random part of it is waited. @default 1_000 */
  readonly baseDelayMs?: number | undefined;
  /** The longest wait. @default 300_000 */
  readonly maxDelayMs?: number | undefined;
  /** Between 0 and 1. @default Math.random */
  readonly random?: (() => number) | undefined;
}

export interface AgentLoopOptions<Body = unknown> {
  readonly queue: RequestQueue<Body>;
  /** Does the work, such as `evaluateRequests(…)`. */
  readonly handler: RequestHandler<Body>;
  /** How many requests are worked on at a time. @default 1 */
  readonly concurrency?: number | undefined;
  /** How often a request is tried before it is a dead letter. @default 5 */
  readonly maxAttempts?: number | undefined;
  /** How long a request is this loop's without a sign of life; one is given three times as often. @default 60_000 */
  readonly leaseMs?: number | undefined;
  /** How often a queue is asked again that had nothing. @default 1_000 */
  readonly pollMs?: number | undefined;
  /** How long `close` waits for what is being worked on. @default 30_000 */
  readonly graceMs?: number | undefined;
  readonly backOff?: BackOffOptions | undefined;
  /** Whether an error may be mended by trying again. @default true, but for a `ModelError` that says it is not */
  readonly isRetried?: ((error: unknown) => boolean) | undefined;
  /** @default the time of this machine */
  readonly clock?: Clock | undefined;
  /** @default nobody is told */
  readonly onEvent?: ((event: AgentLoopEvent) => void) | undefined;
  /** Told of what the queue threw. @default nobody is told */
  readonly onError?: ((error: unknown) => void) | undefined;
}
