import { Worker } from "node:worker_threads";
import type { AgentLoopStatus } from "../worker/agent-loop.js";
import type { BlockedThreadData } from "./report-blocked-thread.js";

export interface WatchdogOptions {
  /** How long a request may run before it is reported. @default 600_000 */
  readonly stuckMs?: number | undefined;
  /** How long the process may be blocked before its stack is printed. @default 10_000 */
  readonly blockedMs?: number | undefined;
  /** Receives reports about requests. @default prints them to stderr */
  readonly onStuck?: ((report: string) => void) | undefined;
}

const BEATS_PER_LIMIT = 4;
const THREAD = new URL("./report-blocked-thread.js", import.meta.url);

/**
 * Reports requests that run for too long, and what the process waits for. A second thread prints the stack of this one
 * to stderr if it is blocked.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #status: () => Readonly<Record<string, AgentLoopStatus>>;
  readonly #reported = new Set<string>();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #thread: Worker;
  /** Resolves when its thread watches, or cannot. A process that is blocked before that would not be reported. */
  readonly started: Promise<void>;

  constructor(options: WatchdogOptions, status: () => Readonly<Record<string, AgentLoopStatus>>) {
    this.#options = options;
    this.#status = status;
    const { blockedMs = 10_000, stuckMs = 600_000 } = options;
    const beats = new Int32Array(new SharedArrayBuffer(4));
    const checkMs = blockedMs / BEATS_PER_LIMIT;
    this.#thread = new Worker(THREAD, {
      workerData: { beats, blockedMs, checkMs } satisfies BlockedThreadData,
    });
    this.started = new Promise((resolve) => {
      this.#thread.once("message", resolve);
      // A watchdog that fails must not end the worker.
      this.#thread.on("error", () => resolve());
      this.#thread.once("exit", () => resolve());
    });
    void this.started.then(() => this.#thread.unref());
    const beat = setInterval(() => Atomics.add(beats, 0, 1), checkMs);
    const check = setInterval(() => this.#check(stuckMs), stuckMs / BEATS_PER_LIMIT);
    this.#timers = [beat.unref(), check.unref()];
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    void this.#thread.terminate();
  }

  #check(stuckMs: number): void {
    const { onStuck = (report: string) => console.error(report) } = this.#options;
    for (const [loop, { running }] of Object.entries(this.#status()))
      for (const { requestId, attempt, runningMs } of running) {
        const key = JSON.stringify([loop, requestId, attempt]);
        if (runningMs < stuckMs || this.#reported.has(key)) continue;
        this.#reported.add(key);
        const waits = process.getActiveResourcesInfo().join(", ");
        onStuck(
          `worker: request '${requestId}' of loop '${loop}' runs for ${Math.round(runningMs / 1000)} s (attempt ${attempt}). ` +
            `The process waits for: ${waits}.`,
        );
      }
  }
}
