import { DelayedError, type Job, UnrecoverableError } from "bullmq";
import { requireFunction, requireOptions } from "../runtime/context/require-options.js";
import { type AgentLoopOptions, BACK_OFF } from "../worker/agent-loop-options.js";
import { systemClock } from "../worker/clock.js";
import type { RequestHandler } from "../worker/request-handler.js";
import type { LeasedRequest, RequestEnding, RequestQueue } from "../worker/request-queue.js";
import { RequestRun } from "../worker/request-run.js";

/** The options of `AgentLoop` that a processor uses. */
export type RequestProcessorOptions<Body> = Pick<
  AgentLoopOptions<Body>,
  "maxAttempts" | "backOff" | "isRetried" | "onEvent" | "onError"
>;

const OPTIONS = ["maxAttempts", "backOff", "isRetried", "onEvent", "onError"];
/** The worker of BullMQ renews its lock, so this lease never ends. */
const LEASE_MS = 2 ** 31 - 1;

/**
 * A processor for a `Worker` of BullMQ that you already run. The data of a job is the body of the request.
 *
 * A request that is tried again is moved to the delayed jobs; one that is not becomes a failed job.
 */
export function requestProcessor<Body = unknown>(
  handler: RequestHandler<Body>,
  options: RequestProcessorOptions<Body> = {},
): (job: Job<Body>, token?: string, signal?: AbortSignal) => Promise<unknown> {
  requireFunction("requestProcessor", handler ?? null);
  requireOptions("requestProcessor", options, OPTIONS);
  if (options.backOff !== undefined) requireOptions("backOff", options.backOff, BACK_OFF);
  return async (job, token, signal) => {
    let [ending, result]: [RequestEnding | undefined, unknown] = [undefined, undefined];
    // Only these two methods are called during an attempt.
    const queue = {
      renew: async () => true,
      end: async (_: LeasedRequest<Body>, given: RequestEnding) => {
        ending = given;
        return true;
      },
    } as unknown as RequestQueue<Body>;
    const run = new RequestRun<Body>({
      loop: {
        ...options,
        queue,
        handler: async (request, context) => {
          result = await handler(request, context);
          return result;
        },
      },
      ...{ clock: systemClock, maxAttempts: options.maxAttempts ?? 5, leaseMs: LEASE_MS },
      ...{ leasedUntilMs: Date.now() + LEASE_MS, request: leaseOf(job) },
    });
    const stop = () => run.close();
    signal?.addEventListener("abort", stop);
    await run.execute();
    signal?.removeEventListener("abort", stop);
    return await settle(job, token, ending, result);
  };
}

async function settle(
  job: Job,
  token: string | undefined,
  ending: RequestEnding | undefined,
  result: unknown,
): Promise<unknown> {
  if (ending === undefined) throw new Error("another worker has the job");
  if (ending.kind === "done") return result;
  if (ending.kind === "dead") throw new UnrecoverableError(`${ending.reason}: ${ending.message}`);
  await job.moveToDelayed(Date.now() + Math.ceil(ending.delayMs), token);
  throw new DelayedError();
}

function leaseOf<Body>(job: Job<Body>): LeasedRequest<Body> {
  return {
    ...{ requestId: String(job.id), body: job.data, addedAtMs: job.timestamp },
    ...{ attempt: job.attemptsStarted, deadlineAtMs: undefined, budget: undefined, spent: {} },
    ...{ priority: "normal", key: undefined, replyTo: undefined },
    ...{ leaseId: String(job.token), leasedUntilMs: Date.now() + LEASE_MS },
  };
}
