import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { withTimeout } from "../runtime/transaction/with-timeout.js";
import { AgentLoop, type AgentLoopStatus } from "../worker/agent-loop.js";
import type { AgentLoopEvent, AgentLoopOptions } from "../worker/agent-loop-options.js";
import type { RequestCounts, RequestQueue } from "../worker/request-queue.js";
import { HealthServer } from "./health-server.js";
import { LoopMetrics } from "./loop-metrics.js";
import { Watchdog, type WatchdogOptions } from "./watchdog.js";

export interface AgentLoopGroupOptions<Bodies extends object = Record<string, unknown>> {
  /** The loops, by a name for health and metrics. Each has a queue and a handler. */
  readonly loops: { readonly [Name in keyof Bodies]: AgentLoopOptions<Bodies[Name]> };
  /** How long running requests may continue after a signal. @default 30_000 */
  readonly graceMs?: number | undefined;
  /** How long the group waits for its queues after `graceMs`. Then `run` resolves anyway. @default 5_000 */
  readonly limitMs?: number | undefined;
  /** The signals that close the group. A second one ends the grace period. @default SIGTERM and SIGINT */
  readonly signals?: readonly NodeJS.Signals[] | undefined;
  /**
   * Serves `/live`, `/ready` and `/metrics` over HTTP. Nothing is served by default.
   */
  readonly health?:
    | {
        /** 0 means any free port; `healthUrl` then contains the port. */
        readonly port: number;
        /** @default "127.0.0.1" */
        readonly host?: string | undefined;
      }
    | undefined;
  /** Reports requests and threads that are stuck. `false` turns it off. @default on */
  readonly watchdog?: WatchdogOptions | false | undefined;
}

/** Less than the usual 10 s of a scrape. */
const COUNT_MS = 3_000;

const OPTIONS = ["loops", "graceMs", "limitMs", "signals", "health", "watchdog"];

/**
 * Several loops in one process, as a worker: it ends gracefully on SIGTERM, answers health checks, counts, and reports
 * what is stuck.
 */
export class AgentLoopGroup<Bodies extends object = Record<string, unknown>>
  implements AsyncDisposable
{
  readonly #options: Omit<AgentLoopGroupOptions, "loops">;
  readonly #loops = new Map<string, AgentLoop<unknown>>();
  readonly #queues = new Map<string, RequestQueue<unknown>>();
  readonly #metrics = new LoopMetrics();
  readonly #health: HealthServer | undefined;
  #closed: Promise<void> | undefined;
  #end = () => {};

  constructor(options: AgentLoopGroupOptions<Bodies>) {
    requireOptions("AgentLoopGroup", options, OPTIONS);
    const { loops, health, watchdog } = options;
    if (typeof loops !== "object" || loops === null || Object.keys(loops).length === 0)
      throw invalid("loops", "pass at least one loop: { loops: { name: { queue, handler } } }.");
    if (health !== undefined) requireOptions("health", health, ["port", "host"]);
    if (watchdog !== undefined && watchdog !== false)
      requireOptions("watchdog", watchdog, ["stuckMs", "blockedMs", "onStuck"]);
    this.#options = options;
    // The group passes no body from one loop to another, so their types do not matter here.
    const given = loops as Readonly<Record<string, AgentLoopOptions<unknown>>>;
    for (const [name, loop] of Object.entries(given)) {
      const onEvent = (event: AgentLoopEvent) => {
        this.#metrics.count(name, event);
        loop.onEvent?.(event);
      };
      this.#loops.set(name, new AgentLoop({ ...loop, onEvent }));
      this.#queues.set(name, loop.queue);
    }
    this.#health = health && new HealthServer(health, this);
  }

  /** The address of the health checks while the group runs. */
  get healthUrl(): string | undefined {
    return this.#health?.url;
  }

  /** The state of each loop, by name. */
  status(): Readonly<Record<string, AgentLoopStatus>> {
    return Object.fromEntries([...this.#loops].map(([name, loop]) => [name, loop.status()]));
  }

  /**
   * The counters of all loops and the counts of their queues, in the text format of Prometheus. A queue that does not
   * answer has no counts.
   */
  async metrics(): Promise<string> {
    const queues = new Map<string, RequestCounts>();
    const count = async ([name, queue]: readonly [string, RequestQueue<unknown>]) => {
      queues.set(name, await withTimeout(COUNT_MS, queue.counts()));
    };
    // The counters of the process matter most when a queue cannot be reached.
    await Promise.allSettled([...this.#queues].map(count));
    return this.#metrics.text(this.status(), queues);
  }

  /** Processes requests until a signal arrives, `signal` aborts or `close` is called. */
  async run(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    requireOptions("AgentLoopGroup.run", options, ["signal"]);
    const { signal } = options;
    const { signals = ["SIGTERM", "SIGINT"], watchdog } = this.#options;
    let isFirst = true;
    const stop = () => {
      void this.close(isFirst ? {} : { graceMs: 0 });
      isFirst = false;
    };
    for (const name of signals) process.on(name, stop);
    signal?.addEventListener("abort", stop);
    const dog = watchdog === false ? undefined : new Watchdog(watchdog ?? {}, () => this.status());
    try {
      await Promise.all([this.#health?.listen(), dog?.started]);
      if (signal?.aborted) stop();
      const ended = new Promise<void>((resolve) => {
        this.#end = resolve;
      });
      const loops = [...this.#loops.values()].map((loop) => loop.run());
      await Promise.race([Promise.all(loops), ended]);
    } finally {
      for (const name of signals) process.removeListener(name, stop);
      signal?.removeEventListener("abort", stop);
      dog?.close();
      await this.close({ graceMs: 0 });
      await this.#health?.close();
    }
  }

  /**
   * Stops taking requests, and lets the running ones end. After `graceMs` they are aborted and return to their queues,
   * without counting the attempt. Resolves within the limits, whatever the queues do.
   */
  async close({ graceMs = this.#options.graceMs ?? 30_000 } = {}): Promise<void> {
    const { limitMs = 5_000 } = this.#options;
    const loops = Promise.all([...this.#loops.values()].map((loop) => loop.close({ graceMs })));
    this.#closed ??= loops.then(() => {});
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs + limitMs);
    });
    await Promise.race([this.#closed, limit]);
    clearTimeout(timer);
    this.#end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
