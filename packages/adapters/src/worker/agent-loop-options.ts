import type { Clock } from "./clock.js";
import type { RequestHandler } from "./request-handler.js";
import type { DeadLetter, RequestQueue, RequestReply } from "./request-queue.js";

/** What happened to a request in a loop, for logs and counters. */
export type AgentLoopEvent = {
  readonly requestId: string;
  readonly attempt: number;
} & (
  | { readonly type: "started" }
  | { readonly type: "finished" }
  | { readonly type: "retried"; readonly delayMs: number; readonly error: unknown }
  | { readonly type: "buried"; readonly reason: DeadLetter["reason"]; readonly error: unknown }
  /** The request returns to the queue, and this attempt does not count. */
  | { readonly type: "given-back" }
  /** Another worker has the request, or will get it when the lease ends. */
  | { readonly type: "lost" }
);

export interface AgentLoopOptions<Body = unknown> {
  readonly queue: RequestQueue<Body>;
  /** Processes one request, for example `evaluateRequests(…)`. */
  readonly handler: RequestHandler<Body>;
  /** How many requests run concurrently. @default 1 */
  readonly concurrency?: number | undefined;
  /** How many attempts a request gets before it becomes a dead letter. @default 5 */
  readonly maxAttempts?: number | undefined;
  /** The lease duration. The loop renews a lease three times per duration. @default 60_000 */
  readonly leaseMs?: number | undefined;
  /**
   * How long one call of `take` waits for a request; at most a third of `leaseMs`. After an error
   * of the queue, the loop waits this long before the next call. @default 1_000
   */
  readonly waitMs?: number | undefined;
  /** How long `close` waits for running requests. @default 30_000 */
  readonly graceMs?: number | undefined;
  /**
   * Returns the queue with this name, for requests with `replyTo`. The reply is added before the
   * request ends, so it is sent at least once. It replaces an earlier reply of the same request that
   * no one has taken. @default no replies are sent
   */
  readonly replies?:
    | ((
        name: string,
      ) =>
        | Pick<RequestQueue<RequestReply>, "add" | "requeue" | "drop">
        | undefined
        | Promise<Pick<RequestQueue<RequestReply>, "add" | "requeue" | "drop"> | undefined>)
    | undefined;
  /** The delays before retries. */
  readonly backOff?:
    | {
        /**
         * The upper bound of the first delay. It doubles with each attempt; the actual delay is a
         * random part of it. @default 1_000
         */
        readonly baseDelayMs?: number | undefined;
        /** The upper bound of any delay. @default 300_000 */
        readonly maxDelayMs?: number | undefined;
        /** Returns a number between 0 and 1. @default Math.random */
        readonly random?: (() => number) | undefined;
      }
    | undefined;
  /**
   * Whether to retry after this error. @default true, except for a `ModelError` with `retried:
   * false`, for parameters that a prompt refuses, and for `ARGUMENT_INVALID`
   */
  readonly isRetried?: ((error: unknown) => boolean) | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
  /** @default events are ignored */
  readonly onEvent?: ((event: AgentLoopEvent) => void) | undefined;
  /** Receives errors that the queue threw. @default prints them */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The options of `backOff`. */
export const BACK_OFF: readonly (keyof NonNullable<AgentLoopOptions["backOff"]>)[] = [
  "baseDelayMs",
  "maxDelayMs",
  "random",
];
