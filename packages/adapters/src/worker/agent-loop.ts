import { reportError } from "../runtime/context/report-error.js";
import {
  invalid,
  requireFunction,
  requireMethod,
  requireOptions,
} from "../runtime/context/require-options.js";
import { type AgentLoopOptions, BACK_OFF } from "./agent-loop-options.js";
import { type Clock, systemClock } from "./clock.js";
import type { LeasedRequest } from "./request-queue.js";
import { RequestRun } from "./request-run.js";

const OPTIONS: readonly (keyof AgentLoopOptions)[] = [
  ...(["queue", "handler", "concurrency", "maxAttempts", "leaseMs", "waitMs", "graceMs"] as const),
  ...(["replies", "backOff", "isRetried", "clock", "onEvent", "onError"] as const),
];

/** How long a queue may take to answer, in addition to `waitMs`. */
const ANSWER_MS = 5_000;

/** What a loop does at the moment. */
export interface AgentLoopStatus {
  /** `"failed"`: it has stopped taking requests because of an unexpected error. */
  readonly state: "new" | "running" | "closing" | "closed" | "failed";
  /** Whether the last call of `take` succeeded, and the present one is not late. */
  readonly reaches: boolean;
  readonly running: readonly {
    readonly requestId: string;
    readonly attempt: number;
    readonly runningMs: number;
  }[];
}

/**
 * Takes requests from a queue and processes them until the loop is closed.
 *
 * A failed request is retried after a delay. After the last attempt it becomes a dead letter. If
 * a worker dies, its request returns to the queue when the lease ends.
 */
export class AgentLoop<Body = unknown> implements AsyncDisposable {
  readonly #options: AgentLoopOptions<Body>;
  readonly #clock: Clock;
  readonly #runs = new Map<RequestRun<Body>, Promise<void>>();
  readonly #closing = new AbortController();
  /** Aborts when no request is running any more. */
  readonly #settled = new AbortController();
  /** Aborts when the grace period is over. */
  readonly #graceOver = new AbortController();
  #taking: Promise<void> | undefined;
  #state: AgentLoopStatus["state"] = "new";
  #reaches = true;
  #closed: Promise<void> | undefined;

  constructor(options: AgentLoopOptions<Body>) {
    requireOptions("AgentLoop", options, OPTIONS);
    requireMethod("queue", options.queue, { name: "take", expected: "a RequestQueue" });
    requireFunction("handler", options.handler ?? null);
    for (const name of ["concurrency", "maxAttempts", "leaseMs", "waitMs"] as const)
      checkPositive(name, options[name]);
    if (options.backOff !== undefined) requireOptions("backOff", options.backOff, BACK_OFF);
    if (options.clock !== undefined)
      requireMethod("clock", options.clock, { name: "sleep", expected: "a Clock" });
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Processes requests until `close` is called or `signal` aborts. Resolves when no request is
   * running, although the queue may not have answered yet. Can be called only once.
   */
  run(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    requireOptions("AgentLoop.run", options, ["signal"]);
    const { signal } = options;
    if (this.#taking !== undefined)
      throw invalid("AgentLoop", "run() was already called. Create a new loop.");
    const close = () => void this.close();
    if (signal?.aborted) close();
    signal?.addEventListener("abort", close);
    this.#state = "running";
    this.#taking = this.#takeAll().catch((error) => {
      this.#state = "failed";
      throw error;
    });
    return this.#untilClosing(this.#taking)
      .then(() => this.close())
      .finally(() => signal?.removeEventListener("abort", close));
  }

  /**
   * Stops taking requests and waits for the running ones. Requests that still run after `graceMs`
   * are aborted and return to the queue; that attempt does not count. A second call can shorten the
   * grace period.
   */
  close({ graceMs = this.#options.graceMs ?? 30_000 } = {}): Promise<void> {
    this.#closed ??= this.#shutDown();
    void this.#clock.sleep(graceMs, this.#settled.signal).then(() => this.#graceOver.abort());
    return this.#closed;
  }

  status(): AgentLoopStatus {
    const runs = [...this.#runs.keys()];
    return { state: this.#state, reaches: this.#reaches, running: runs.map((run) => run.status()) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #takeAll(): Promise<void> {
    const { concurrency = 1 } = this.#options;
    while (!this.#closing.signal.aborted)
      await (this.#runs.size < concurrency
        ? this.#startNext()
        : this.#untilClosing(Promise.race(this.#runs.values())));
  }

  /** Waits for a request and starts it. */
  async #startNext(): Promise<void> {
    const { queue, onError, leaseMs = 60_000, maxAttempts = 5 } = this.#options;
    const waitMs = Math.min(this.#options.waitMs ?? 1_000, leaseMs / 3);
    const clock = this.#clock;
    const { signal } = this.#closing;
    const askedAtMs = clock.now();
    let request: LeasedRequest<Body> | undefined;
    const answered = new AbortController();
    void this.#missAnswer(waitMs + ANSWER_MS, answered.signal);
    try {
      request = await queue.take(leaseMs, { waitMs, signal });
      this.#reaches = true;
    } catch (error) {
      this.#reaches = false;
      reportError(onError, error, "agent loop");
    } finally {
      answered.abort();
    }
    // A queue may return immediately instead of waiting, so this also limits how often it is asked.
    if (request === undefined) return await clock.sleep(askedAtMs + waitMs - clock.now(), signal);
    // By the local clock, because the queue's clock may differ. The lease cannot end earlier.
    const lease = { leaseMs, leasedUntilMs: askedAtMs + leaseMs, request, closing: signal };
    const run = new RequestRun({ loop: this.#options, clock, maxAttempts, ...lease });
    // The loop was closed while the queue was answering, so return the request.
    const work = signal.aborted ? run.giveBack() : run.execute();
    this.#runs.set(
      run,
      work.finally(() => this.#runs.delete(run)),
    );
  }

  /** The client of a queue can wait without end if its server does not answer. */
  async #missAnswer(delayMs: number, answered: AbortSignal): Promise<void> {
    await this.#clock.sleep(delayMs, answered);
    if (!answered.aborted) this.#reaches = false;
  }

  async #shutDown(): Promise<void> {
    if (this.#state !== "failed") this.#state = "closing";
    this.#closing.abort(new Error("the agent loop is closing"));
    const settle = async () => {
      await this.#taking;
      await Promise.all(this.#runs.values());
      this.#settled.abort();
    };
    const settled = settle();
    await Promise.race([settled, aborted(this.#graceOver.signal)]);
    for (const run of this.#runs.keys()) run.close();
    // Do not wait for a queue that does not answer. A request that it returns later is given
    // back.
    await (this.#settled.signal.aborted ? settled : Promise.all(this.#runs.values()));
    if (this.#state === "closing") this.#state = "closed";
  }

  async #untilClosing(work: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    await Promise.race([work, aborted(this.#closing.signal, over.signal)]);
    over.abort();
  }
}

/** Resolves when the signal aborts. Stops listening when `over` aborts. */
async function aborted(signal: AbortSignal, over?: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener("abort", resolve, { once: true, ...(over && { signal: over }) });
  });
}

function checkPositive(name: string, value: number | undefined): void {
  if (value === undefined || value > 0) return;
  throw invalid(name, `it must be a number above 0, got ${value}.`);
}
