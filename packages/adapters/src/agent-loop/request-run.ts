import { Budget, type BudgetLimits, Deadline, type Spending } from "@wink/prompt";
import { abortable } from "../loop/abortable.js";
import { isModelError } from "../loop/model-error.js";
import type { AgentLoopOptions, AgentLoopStep, BackOffOptions } from "./agent-loop-options.js";
import type { Clock } from "./clock.js";
import type { LeasedRequest, RequestEnding } from "./request-queue.js";

/** Why work on a request was stopped from outside. */
type Stopped = "deadline" | "lost" | "closed";

export interface RequestRunOptions<Body> {
  readonly loop: AgentLoopOptions<Body>;
  readonly clock: Clock;
  readonly maxAttempts: number;
  readonly leaseMs: number;
  readonly request: LeasedRequest<Body>;
}

const LONGEST_MESSAGE = 2_000;

/** One attempt at a request, from the lease to its end. */
export class RequestRun<Body> {
  readonly #run: RequestRunOptions<Body>;
  readonly #controller = new AbortController();
  /** Aborts when the attempt is over, and with it everything that waits beside it. */
  readonly #over = new AbortController();
  readonly #deadline: Deadline | undefined;
  readonly #budget: Budget | undefined;
  #stopped: Stopped | undefined;

  constructor(run: RequestRunOptions<Body>) {
    this.#run = run;
    const { deadlineAtMs, budget, spent } = run.request;
    const clock = () => run.clock.now();
    this.#deadline = deadlineAtMs === undefined ? undefined : Deadline.at(deadlineAtMs, { clock });
    this.#budget = budget && new Budget(lessThan(budget, spent), { clock });
  }

  /** Ends the work at once; the request goes back as if it had not been taken. */
  close(): void {
    this.#stop("closed", new Error("the loop is closed"));
  }

  /** For one that is not begun: it goes back as if it had not been taken. */
  async giveBack(): Promise<void> {
    await this.#end({ kind: "again", delayMs: 0, counted: false, spent: {} });
  }

  /** Never rejects. */
  async execute(): Promise<void> {
    const { request, maxAttempts } = this.#run;
    const dead = (reason: "abandoned" | "deadline" | "budget", message: string) =>
      this.#end({ kind: "dead", reason, message, spent: {} });
    if (request.attempt > maxAttempts)
      return await dead("abandoned", `${maxAttempts} workers began it and none came to an end`);
    if (this.#deadline?.expired) return await dead("deadline", "nobody came to it in time");
    if (this.#budget?.exhausted !== undefined)
      return await dead("budget", `used up: ${this.#budget.exhausted}`);
    this.#tell({ type: "started" });
    void this.#renew();
    void this.#watchDeadline();
    const worked = await this.#work();
    this.#over.abort();
    if (worked !== undefined) await this.#end(worked.ending, worked.error);
    else this.#tell({ type: "lost" });
  }

  /** What the request comes to; `undefined` when it is another worker's by now. */
  async #work(): Promise<{ readonly ending: RequestEnding; readonly error?: unknown } | undefined> {
    const { loop, request } = this.#run;
    const { signal } = this.#controller;
    try {
      const context = Object.freeze({ signal, deadline: this.#deadline, budget: this.#budget });
      await abortable(
        // In a function of its own, so that a handler that throws at once rejects like any other.
        (async () => loop.handler(request, context))(),
        signal,
      );
      return { ending: { kind: "done" } };
    } catch (error) {
      if (this.#stopped === "lost") return undefined;
      return { ending: this.#endingAfter(error), error };
    }
  }

  #endingAfter(error: unknown): RequestEnding {
    const { loop, request, maxAttempts } = this.#run;
    const spent = this.#spent();
    if (this.#stopped === "closed") return { kind: "again", delayMs: 0, counted: false, spent };
    const dead = (reason: "deadline" | "budget" | "failed"): RequestEnding => {
      return { kind: "dead", reason, message: messageOf(error), spent };
    };
    if (this.#stopped === "deadline" || this.#deadline?.expired) return dead("deadline");
    if (this.#budget?.exhausted !== undefined) return dead("budget");
    const { isRetried = mayBeMended } = loop;
    if (request.attempt >= maxAttempts || !isRetried(error)) return dead("failed");
    const delayMs = delayAfter(request.attempt, loop.backOff ?? {});
    return { kind: "again", delayMs, counted: true, spent };
  }

  /** Keeps the lease. A queue that cannot be reached is asked again until the lease is over. */
  async #renew(): Promise<void> {
    const { loop, clock, leaseMs, request } = this.#run;
    let untilMs = request.leasedUntilMs;
    for (;;) {
      await clock.sleep(leaseMs / 3, this.#over.signal);
      if (this.#over.signal.aborted) return;
      const askedAtMs = clock.now();
      try {
        if (!(await loop.queue.renew(request, leaseMs))) return this.#lose();
        untilMs = askedAtMs + leaseMs;
      } catch (error) {
        this.#complain(error);
        if (clock.now() >= untilMs) return this.#lose();
      }
    }
  }

  #lose(): void {
    this.#stop("lost", new Error("the request is another worker's by now"));
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

  async #end(ending: RequestEnding, error?: unknown): Promise<void> {
    const { loop, request } = this.#run;
    try {
      if (!(await loop.queue.end(request, ending))) return this.#tell({ type: "lost" });
    } catch (problem) {
      // The lease will end by itself, and somebody will come to the request again.
      this.#complain(problem);
      return this.#tell({ type: "lost" });
    }
    if (ending.kind === "done") this.#tell({ type: "finished" });
    else if (ending.kind === "dead") this.#tell({ type: "buried", reason: ending.reason, error });
    else if (!ending.counted) this.#tell({ type: "given-back" });
    else this.#tell({ type: "retried", delayMs: ending.delayMs, error });
  }

  #spent(): Spending {
    if (this.#budget === undefined) return {};
    const { wallMs: _, ...spent } = this.#budget.spent;
    return spent;
  }

  #tell(step: AgentLoopStep): void {
    const { loop, request } = this.#run;
    const { requestId, attempt } = request;
    try {
      loop.onEvent?.(Object.freeze({ ...step, requestId, attempt }));
    } catch (error) {
      this.#complain(error);
    }
  }

  #complain(error: unknown): void {
    try {
      this.#run.loop.onError?.(error);
    } catch {
      // Whoever listens to errors has nobody to tell of its own.
    }
  }
}

/** What is left of limits of which something is spent. Time is for each attempt anew. */
function lessThan(limits: BudgetLimits, spent: Spending): BudgetLimits {
  const left = Object.entries(limits).map(([name, limit]) => {
    // The names of limits are those of what can be spent, and wallMs, of which nothing is.
    return [name, Math.max(0, limit - (spent[name as keyof Spending] ?? 0))];
  });
  return Object.fromEntries(left);
}

function mayBeMended(error: unknown): boolean {
  return !isModelError(error) || error.retried;
}

function delayAfter(attempt: number, options: BackOffOptions): number {
  const { baseDelayMs = 1_000, maxDelayMs = 300_000, random = Math.random } = options;
  return Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)) * random();
}

/** Reading a foreign error can itself throw. */
function messageOf(error: unknown): string {
  try {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return text.slice(0, LONGEST_MESSAGE);
  } catch {
    return "an error that cannot be read";
  }
}
