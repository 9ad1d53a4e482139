import { abortable } from "@wink/filesystem/internal";
import { Budget, type BudgetLimits, Deadline, isPromptError, type Spending } from "@wink/prompt";
import { isAdapterError } from "../error/adapter-error.js";
import { isModelError } from "../error/model-error.js";
import { answerOf, reportError } from "../runtime/context/report-error.js";
import type { AgentLoopEvent, AgentLoopOptions } from "./agent-loop-options.js";
import type { Clock } from "./clock.js";
import { requestData } from "./request-data.js";
import type { LeasedRequest, RequestEnding, RequestReply } from "./request-queue.js";

/** An event without the fields that every event has. */
type Step<Event = AgentLoopEvent> = Event extends unknown
  ? Omit<Event, "requestId" | "attempt">
  : never;

/** How the work of an attempt ended. */
interface Worked {
  readonly ending: RequestEnding;
  readonly error?: unknown;
  readonly result?: unknown;
}

/** Why an attempt was stopped from outside. */
type Stopped = "deadline" | "lost" | "closed";

export interface RequestRunOptions<Body> {
  readonly loop: AgentLoopOptions<Body>;
  readonly clock: Clock;
  readonly maxAttempts: number;
  readonly leaseMs: number;
  /** The earliest time at which the lease may end, by the loop's clock. */
  readonly leasedUntilMs: number;
  readonly request: LeasedRequest<Body>;
  /** Aborts when the loop is closing. @default never */
  readonly closing?: AbortSignal | undefined;
}

const MAX_MESSAGE = 2_000;
const NEVER = new AbortController().signal;

/** One attempt at a request, from the lease to its end. */
export class RequestRun<Body> {
  readonly #run: RequestRunOptions<Body>;
  readonly #controller = new AbortController();
  /** Aborts when the attempt is over, to stop the timers that run with it. */
  readonly #over = new AbortController();
  readonly #deadline: Deadline | undefined;
  readonly #budget: Budget | undefined;
  readonly #startedAtMs: number;
  #stopped: Stopped | undefined;
  #postponedMs: number | undefined;

  constructor(run: RequestRunOptions<Body>) {
    this.#run = run;
    this.#startedAtMs = run.clock.now();
    const { deadlineAtMs, budget, spent } = run.request;
    // The deadline is a time of the queue's clock, which may differ from the worker's.
    const aheadMs = run.request.leasedUntilMs - run.leaseMs - run.clock.now();
    const clock = () => run.clock.now() + aheadMs;
    this.#deadline = deadlineAtMs === undefined ? undefined : Deadline.at(deadlineAtMs, { clock });
    this.#budget = budget && new Budget(lessThan(budget, spent), { clock });
  }

  status(): { readonly requestId: string; readonly attempt: number; readonly runningMs: number } {
    const { requestId, attempt } = this.#run.request;
    return { requestId, attempt, runningMs: this.#run.clock.now() - this.#startedAtMs };
  }

  /**
   * Stops the work immediately. The request returns to the queue and the attempt does not count.
   */
  close(): void {
    this.#stop("closed", new Error("the agent loop was closed"));
  }

  /** Returns a request that was not started. The attempt does not count. */
  async giveBack(): Promise<void> {
    await this.#end({ kind: "again", delayMs: 0, counted: false, spent: {} });
  }

  /** Never rejects. */
  async execute(): Promise<void> {
    const { request, maxAttempts } = this.#run;
    const dead = (reason: "abandoned" | "deadline" | "budget", message: string) =>
      this.#end({ kind: "dead", reason, message, spent: {} });
    if (request.attempt > maxAttempts)
      return await dead(
        "abandoned",
        `it was started ${maxAttempts === 1 ? "once" : `${maxAttempts} times`}, and no worker finished it`,
      );
    if (this.#deadline?.expired)
      return await dead("deadline", "no worker started the request before its deadline");
    if (this.#budget?.exhausted !== undefined)
      return await dead("budget", `used up: ${this.#budget.exhausted}`);
    this.#tell({ type: "started" });
    void this.#renew();
    void this.#watchDeadline();
    const worked = await this.#work();
    this.#over.abort();
    if (worked !== undefined) await this.#end(worked.ending, worked);
    else this.#tell({ type: "lost" });
  }

  /** Runs the handler and returns how the request ends, or `undefined` if the lease was lost. */
  async #work(): Promise<Worked | undefined> {
    const { loop, request } = this.#run;
    const { signal } = this.#controller;
    try {
      const context = Object.freeze({
        ...{ signal, deadline: this.#deadline, budget: this.#budget },
        closing: this.#run.closing ?? NEVER,
        postpone: (delayMs: number) => {
          this.#postponedMs = delayMs;
        },
      });
      const result = await abortable(
        // An async function, so that a synchronous throw also becomes a rejection.
        (async () => loop.handler(request, context))(),
        signal,
      );
      if (this.#postponedMs !== undefined) return { ending: this.#giveBack(this.#postponedMs) };
      // If the result cannot be sent as a reply, the handler has failed.
      if (request.replyTo !== undefined) requestData({ body: result });
      return { ending: { kind: "done" }, result };
    } catch (error) {
      if (this.#stopped === "lost") return undefined;
      return { ending: this.#endingAfter(error), error };
    }
  }

  /** The request returns to the queue, and the attempt does not count. */
  #giveBack(delayMs: number): RequestEnding {
    return { kind: "again", delayMs, counted: false, spent: this.#spent() };
  }

  #endingAfter(error: unknown): RequestEnding {
    const { loop, request, maxAttempts } = this.#run;
    const spent = this.#spent();
    if (this.#stopped === "closed" || this.#run.closing?.aborted) return this.#giveBack(0);
    const dead = (reason: "deadline" | "budget" | "failed"): RequestEnding => {
      return { kind: "dead", reason, message: messageOf(error), spent };
    };
    if (this.#stopped === "deadline" || this.#deadline?.expired) return dead("deadline");
    if (this.#budget?.exhausted !== undefined) return dead("budget");
    const { isRetried = mayHelpToRetry, onError } = loop;
    const isWorthwhile = answerOf(() => isRetried(error), true, onError);
    if (request.attempt >= maxAttempts || !isWorthwhile) return dead("failed");
    const { random = Math.random, ...backOff } = loop.backOff ?? {};
    const delayMs = maxDelayAfter(request.attempt, backOff) * answerOf(random, 1, onError);
    return { kind: "again", delayMs, counted: true, spent };
  }

  /** Renews the lease. If the queue cannot be reached, tries again until the lease has ended. */
  async #renew(): Promise<void> {
    const { loop, clock, leaseMs, request } = this.#run;
    let untilMs = this.#run.leasedUntilMs;
    for (;;) {
      await clock.sleep(leaseMs / 3, this.#over.signal);
      if (this.#over.signal.aborted) return;
      const askedAtMs = clock.now();
      try {
        const renewed = loop.queue.renew(request, leaseMs);
        // The lease may end later than `untilMs`, if the queue took long to connect. So at least one answer is awaited.
        const waitMs = Math.max(untilMs - askedAtMs, leaseMs / 3);
        if (!(await this.#answerIn(waitMs, renewed))) return this.#lose();
        untilMs = askedAtMs + leaseMs;
      } catch (error) {
        reportError(loop.onError, error, "agent loop");
        if (clock.now() >= untilMs) return this.#lose();
      }
    }
  }

  #lose(): void {
    this.#stop("lost", new Error("the lease was lost: another worker may have the request"));
  }

  async #watchDeadline(): Promise<void> {
    if (this.#deadline === undefined) return;
    await this.#run.clock.sleep(this.#deadline.remainingMs(), this.#over.signal);
    if (!this.#over.signal.aborted) this.#stop("deadline", new Error("the deadline has passed"));
  }

  #stop(why: Stopped, reason: Error): void {
    if (this.#over.signal.aborted) return;
    this.#stopped ??= why;
    this.#controller.abort(reason);
  }

  /** Resolves to the queue's answer. Rejects when the queue does not answer in time. */
  async #answerIn<T>(delayMs: number, answer: Promise<T>): Promise<T> {
    const answered = new AbortController();
    const late = async () => {
      await this.#run.clock.sleep(delayMs, answered.signal);
      throw new Error("the queue did not answer before the lease ended");
    };
    try {
      return await Promise.race([answer, late()]);
    } finally {
      answered.abort();
    }
  }

  async #end(ending: RequestEnding, { error, result }: Omit<Worked, "ending"> = {}): Promise<void> {
    const { loop, leaseMs, request } = this.#run;
    try {
      await this.#answerIn(leaseMs, this.#reply(ending, result));
      const ended = loop.queue.end(request, ending);
      if (!(await this.#answerIn(leaseMs, ended))) return this.#tell({ type: "lost" });
    } catch (problem) {
      // The lease ends on its own, and then another worker gets the request.
      reportError(loop.onError, problem, "agent loop");
      return this.#tell({ type: "lost" });
    }
    if (ending.kind === "done") this.#tell({ type: "finished" });
    else if (ending.kind === "dead") this.#tell({ type: "buried", reason: ending.reason, error });
    else if (!ending.counted) this.#tell({ type: "given-back" });
    else this.#tell({ type: "retried", delayMs: ending.delayMs, error });
  }

  /** Before the end, so that a worker that dies in between sends the reply again. */
  async #reply(ending: RequestEnding, result: unknown): Promise<void> {
    const { requestId, replyTo } = this.#run.request;
    if (replyTo === undefined || ending.kind === "again") return;
    const { replies } = this.#run.loop;
    const [name = "", waiting] = splitAt(replyTo, replyTo.indexOf("#"));
    const queue = await answerOf(() => replies?.(name), undefined, this.#run.loop.onError);
    if (queue === undefined) return;
    if (waiting !== undefined) return void (await queue.requeue(waiting));
    const body: RequestReply =
      ending.kind === "done"
        ? { requestId, outcome: "done", result }
        : { requestId, outcome: "dead", reason: ending.reason, message: ending.message };
    // An earlier reply may say that the request waits for an answer.
    await queue.drop(`reply:${requestId}`);
    await queue.add({ requestId: `reply:${requestId}`, body });
  }

  #spent(): Spending {
    if (this.#budget === undefined) return {};
    const { wallMs: _, ...spent } = this.#budget.spent;
    return spent;
  }

  #tell(step: Step): void {
    const { loop, request } = this.#run;
    const { requestId, attempt } = request;
    const event = Object.freeze({ ...step, requestId, attempt });
    answerOf(() => loop.onEvent?.(event), undefined, loop.onError);
  }
}

/** The remaining limits after `spent`. `wallMs` starts again with each attempt. */
function lessThan(limits: BudgetLimits, spent: Spending): BudgetLimits {
  const left = Object.entries(limits).map(([name, limit]) => {
    // Limits have the names of `Spending`, plus `wallMs`, which `spent` never contains.
    return [name, Math.max(0, limit - (spent[name as keyof Spending] ?? 0))];
  });
  return Object.fromEntries(left);
}

/** The text before and after the character at `index`, or the whole text. */
function splitAt(text: string, index: number): readonly string[] {
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

/** A retry would have the same parameters, so it would fail again. */
const WRONG_PARAMS = ["PARAMS_MISSING", "PARAMS_UNKNOWN", "PARAMS_INVALID"] as const;

function mayHelpToRetry(error: unknown): boolean {
  if (isModelError(error)) return error.retried;
  if (isAdapterError(error, "ARGUMENT_INVALID")) return false;
  return !WRONG_PARAMS.some((code) => isPromptError(error, code));
}

function maxDelayAfter(attempt: number, options: NonNullable<AgentLoopOptions["backOff"]>): number {
  const { baseDelayMs = 1_000, maxDelayMs = 300_000 } = options;
  return Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
}

/** Reading a foreign error can throw. */
function messageOf(error: unknown): string {
  try {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return text.slice(0, MAX_MESSAGE);
  } catch {
    return "the error's message could not be read";
  }
}
