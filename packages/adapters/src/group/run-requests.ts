import { isStoreError } from "@wink/store";
import { isRunError, RunError } from "../error/run-error.js";
import type { RunPark } from "../run/parking.js";
import type { ContinueOptions, Run } from "../run/run.js";
import {
  requireFunction,
  requireMethod,
  requireOptions,
} from "../runtime/context/require-options.js";
import type { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { RequestContext, RequestHandler } from "../worker/request-handler.js";
import type { QueuedRequest } from "../worker/request-queue.js";

export interface RunRequestsOptions<Body = unknown, Output = unknown> {
  readonly adapter: ModelAdapter;
  /**
   * Opens the run of a request, usually with the id of the request. In a store, let it take over:
   * `Run.open({ store, id: request.requestId }, { agent, files: { takeOver: "always" } })`. The
   * worker that had the run before can then commit nothing more.
   */
  readonly run: (request: QueuedRequest<Body>) => Promise<Run<Output>>;
  /**
   * Options for the evaluation, such as `maxTurns` and `onEvent`. A run whose prompt a deploy has changed fails with
   * `AGENT_CHANGED`, unless `onAgentChanged` is `"continue"`. @default none
   */
  readonly evaluate?: Omit<ContinueOptions, "signal" | "deadline" | "budget"> | undefined;
}

/** What a handler of `runRequests` returns, and what a reply contains. */
export type RunRequestResult<Output = unknown> =
  | { readonly run: string; readonly text: string; readonly output: Output | undefined }
  /** The run waits. Add a request for it again when it has been answered. */
  | {
      readonly run: string;
      readonly parked: readonly { readonly id: string; readonly text: string }[];
    };

const OPTIONS = ["adapter", "run", "evaluate"];
const BUSY_DELAY_MS = 1_000;
/** A worker that is killed while it stops its run must not make it wait for longer. */
const STOP_MS = 60_000;

/**
 * A handler for `AgentLoop` that continues a durable run. Any worker can continue where another one stopped.
 *
 * When the worker is closed, the run finishes its turn and returns to the queue. A run that waits for a time returns to
 * the queue too. A run that waits for an answer ends its request.
 */
export function runRequests<Body = unknown, Output = unknown>(
  options: RunRequestsOptions<Body, Output>,
): RequestHandler<Body> {
  requireOptions("runRequests", options, OPTIONS);
  requireMethod("adapter", options.adapter, { name: "evaluate", expected: "an adapter" });
  requireFunction("run", options.run ?? null);
  return async (request, context) => {
    try {
      await using run = await options.run(request);
      return await work(run, options, context);
    } catch (error) {
      // The other worker continues the run, or this request does later.
      if (isBusy(error)) return context.postpone(BUSY_DELAY_MS);
      throw error;
    }
  };
}

async function work<Output>(
  run: Run<Output>,
  { adapter, evaluate }: RunRequestsOptions<never, Output>,
  { signal, closing, deadline, budget, postpone }: RequestContext,
): Promise<RunRequestResult<Output> | undefined> {
  const stop = () => {
    try {
      run.park({ kind: "timer", text: STOPS, until: Date.now() + STOP_MS });
    } catch {
      // The run cannot be written any more; the evaluation reports why.
    }
  };
  if (closing.aborted) throw closing.reason;
  closing.addEventListener("abort", stop);
  try {
    const limits = { signal, deadline, budget };
    const settings = { ...evaluate, ...limits };
    const { finishReason, text, output } = await run.continue(adapter, settings);
    if (finishReason !== "completed") throw new RunError("UNFINISHED", { finishReason, text });
    return { run: run.id, text, output };
  } catch (error) {
    if (!isRunError(error, "PARKED")) throw error;
    const open = run.parks.filter(({ isAnswered }) => !isAnswered);
    const stops = open.find(({ text }) => text === STOPS);
    if (stops !== undefined) {
      run.answer(stops.id, null);
      throw closing.reason;
    }
    const asks = open.filter((each) => each.until === undefined && each.kind !== "subagent");
    if (asks.length === 0) return void postpone(Math.max(0, ...open.map(delayOf)));
    return { run: run.id, parked: asks.map(({ id, text }) => ({ id, text })) };
  } finally {
    closing.removeEventListener("abort", stop);
  }
}

/**
 * When a run that waits can continue. The end of a subagent makes the request due; without that, the run looks for it,
 * less and less often.
 */
function delayOf({ until, since }: RunPark): number {
  const now = Date.now();
  if (until !== undefined) return until - now;
  return Math.min(MAX_LOOK_MS, Math.max(MIN_LOOK_MS, now - since));
}

const MIN_LOOK_MS = 1_000;
const MAX_LOOK_MS = 60_000;

const STOPS = "The worker stops. The run continues on another one.";

/** Whether another worker has the run. A write of the log may have found it out. */
function isBusy(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if (isStoreError(error, "LEASE_LOST")) return true;
  if ("code" in error && error.code === "SESSION_LOCKED") return true;
  return "cause" in error && error.cause !== error && isBusy(error.cause);
}
