import { reportError } from "../runtime/context/report-error.js";
import {
  invalid,
  requireFunction,
  requireMethod,
  requireOptions,
} from "../runtime/context/require-options.js";
import type { AgentLoopOptions } from "./agent-loop-options.js";
import { type Clock, systemClock } from "./clock.js";
import type { LeasedRequest } from "./request-queue.js";
import { RequestRun } from "./request-run.js";

const OPTIONS: readonly (keyof AgentLoopOptions)[] = [
  ...(["queue", "handler", "concurrency", "maxAttempts", "leaseMs", "waitMs", "graceMs"] as const),
  ...(["replies", "backOff", "isRetried", "clock", "onEvent", "onError"] as const),
];

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
  #taking: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: AgentLoopOptions<Body>) {
    requireOptions("AgentLoop", options, OPTIONS);
    requireMethod("queue", options.queue, { name: "take", expected: "a RequestQueue" });
    requireFunction("handler", options.handler ?? null);
    for (const name of ["concurrency", "maxAttempts", "leaseMs", "waitMs"] as const)
      checkPositive(name, options[name]);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Processes requests until `close` is called or `signal` aborts. Resolves when no request is
   * running, although the queue may not have answered yet. Can be called only once.
   */
  run({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#taking !== undefined)
      throw invalid("AgentLoop", "run() was already called. Create a new loop.");
    const close = () => void this.close();
    if (signal?.aborted) close();
    signal?.addEventListener("abort", close);
    this.#taking = this.#takeAll();
    return this.#untilClosing(this.#taking)
      .then(() => this.close())
      .finally(() => signal?.removeEventListener("abort", close));
  }

  /**
   * Stops taking requests and waits for the running ones. Requests that still run after `graceMs`
   * are aborted and return to the queue; that attempt does not count.
   */
  close({ graceMs = this.#options.graceMs ?? 30_000 } = {}): Promise<void> {
    this.#closed ??= this.#shutDown(graceMs);
    return this.#closed;
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
    try {
      request = await queue.take(leaseMs, { waitMs, signal });
    } catch (error) {
      reportError(onError, error, "agent loop");
    }
    // Also for a queue that does not wait.
    if (request === undefined) return await clock.sleep(askedAtMs + waitMs - clock.now(), signal);
    // By the local clock, because the queue's clock may differ. The lease cannot end earlier.
    const lease = { leaseMs, leasedUntilMs: askedAtMs + leaseMs, request };
    const run = new RequestRun({ loop: this.#options, clock, maxAttempts, ...lease });
    // The loop was closed while the queue was answering, so return the request.
    const work = signal.aborted ? run.giveBack() : run.execute();
    this.#runs.set(
      run,
      work.finally(() => this.#runs.delete(run)),
    );
  }

  async #shutDown(graceMs: number): Promise<void> {
    this.#closing.abort();
    const over = new AbortController();
    const settle = async () => {
      await this.#taking;
      await Promise.all(this.#runs.values());
      over.abort();
    };
    const settled = settle();
    await this.#clock.sleep(graceMs, over.signal);
    for (const run of this.#runs.keys()) run.close();
    // Do not wait for a queue that does not answer. A request that it returns later is given
    // back.
    await (over.signal.aborted ? settled : Promise.all(this.#runs.values()));
  }

  async #untilClosing(work: Promise<unknown>): Promise<void> {
    const { signal } = this.#closing;
    let stop = () => {};
    const closing = new Promise<void>((resolve) => {
      stop = resolve;
    });
    signal.addEventListener("abort", stop);
    await Promise.race([work, closing]);
    signal.removeEventListener("abort", stop);
  }
}

function checkPositive(name: string, value: number | undefined): void {
  if (value === undefined || value > 0) return;
  throw invalid(name, `it must be a number above 0, got ${value}.`);
}
