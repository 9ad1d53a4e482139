import { answerOf, complain } from "../runtime/context/complain.js";
import type { AgentLoopOptions } from "./agent-loop-options.js";
import { type Clock, systemClock } from "./clock.js";
import type { LeasedRequest } from "./request-queue.js";
import { RequestRun } from "./request-run.js";

/**
 * Takes requests from a queue and works on them, until it is closed.
 *
 * A request that fails is tried again after a while and ends in the queue's dead letters when
 * that does not help. One whose worker died comes back when its lease ends.
 */
export class AgentLoop<Body = unknown> implements AsyncDisposable {
  readonly #options: AgentLoopOptions<Body>;
  readonly #clock: Clock;
  readonly #runs = new Map<RequestRun<Body>, Promise<void>>();
  readonly #closing = new AbortController();
  /** Aborts when there may be something to do. */
  #awake = new AbortController();
  #taking: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: AgentLoopOptions<Body>) {
    for (const name of ["concurrency", "maxAttempts", "leaseMs", "pollMs"] as const)
      checkPositive(name, options[name]);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Works until `close`, or until `signal` aborts, which is the same. Resolves when
   * nothing is being worked on any more, though the queue may not have answered yet. A loop runs once.
   */
  run({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#taking !== undefined) throw new TypeError("The loop runs already, or has run.");
    const close = () => void this.close();
    if (signal?.aborted) close();
    signal?.addEventListener("abort", close);
    this.#taking = this.#takeAll();
    return this.#untilClosing(this.#taking)
      .then(() => this.close())
      .finally(() => signal?.removeEventListener("abort", close));
  }

  /**
   * Takes no more requests, and waits for those that are being worked on. Those that are not
   * done in `graceMs` are aborted and go back to the queue; that does not count as an attempt.
   */
  close({ graceMs = this.#options.graceMs ?? 30_000 } = {}): Promise<void> {
    this.#closed ??= this.#shutDown(graceMs);
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly #wake = () => this.#awake.abort();

  async #takeAll(): Promise<void> {
    const { concurrency = 1, queue, onError } = this.#options;
    const forget = answerOf(() => queue.onAdded?.(() => this.#wake()), undefined, onError);
    const { signal } = this.#closing;
    signal.addEventListener("abort", this.#wake);
    while (!signal.aborted) {
      // From here on, so that nothing is missed that comes while the queue is asked.
      this.#awake = new AbortController();
      if (this.#runs.size >= concurrency)
        await this.#untilClosing(Promise.race(this.#runs.values()));
      else if (!(await this.#startNext())) await this.#idle();
    }
    answerOf(() => forget?.(), undefined, onError);
  }

  /** Whether there was something to do. */
  async #startNext(): Promise<boolean> {
    const { queue, onError, leaseMs = 60_000 } = this.#options;
    const clock = this.#clock;
    // By this machine's clock, and not by the queue's, which may be another.
    const leasedUntilMs = clock.now() + leaseMs;
    let request: LeasedRequest<Body> | undefined;
    try {
      request = await queue.take(leaseMs);
    } catch (error) {
      complain(onError, error);
    }
    if (request === undefined) return false;
    const { maxAttempts = 5 } = this.#options;
    const lease = { leaseMs, leasedUntilMs, request };
    const run = new RequestRun({ loop: this.#options, clock, maxAttempts, ...lease });
    // What was on its way when the loop was closed goes back.
    const work = this.#closing.signal.aborted ? run.giveBack() : run.execute();
    this.#runs.set(
      run,
      work.finally(() => this.#runs.delete(run)),
    );
    return true;
  }

  /** Until there may be something to do. */
  async #idle(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    await this.#clock.sleep(this.#options.pollMs ?? 1_000, this.#awake.signal);
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
    // A queue that does not answer is not waited for: what it still gives goes back.
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
  throw new RangeError(`${name} is a number above 0, not ${value}.`);
}
