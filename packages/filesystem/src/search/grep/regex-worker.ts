import { nextTurn } from "../../content/time-slices.js";
import type { GrepText } from "./grep-text.js";

/** Not imported, because the root entry must load in runtimes without this module. */
const threads = globalThis.process?.getBuiltinModule?.("node:worker_threads");
const fs = globalThis.process?.getBuiltinModule?.("node:fs");

/** On a busy machine a thread waits for a processor. It may wait this many times longer than it may run. */
const MAX_WAIT_FACTOR = 20;

export type WorkerAnswer =
  /** The lines found, in the format of `unpackLines`. */
  | { readonly packed: Uint32Array; readonly busyMs: number }
  /** The expression needs too much memory. */
  | { readonly failed: true };

/** The first message of a worker. */
interface WorkerStarted {
  readonly threadId: string | undefined;
}

/** Texts are sent in parts of this size, so that copying one never takes long. */
const PART_CHARACTERS = 512 * 1024;
const MAX_MEMORY_MB = 512;

/** Runs one regular expression line by line in its own thread, which can be ended at any time. */
export class RegexWorker {
  readonly #worker: InstanceType<NonNullable<typeof threads>["Worker"]>;
  readonly #online: Promise<void>;
  #exited = false;
  #settle: ((answer: WorkerAnswer | undefined) => void) | undefined;
  /** The thread's number in the kernel, where there is `/proc`. */
  #threadId: string | undefined;

  /** `undefined` if the runtime has no threads or does not allow one. */
  static start(source: string, flags: string): RegexWorker | undefined {
    try {
      return threads === undefined ? undefined : new RegexWorker(threads, source, flags);
    } catch {
      return undefined;
    }
  }

  private constructor(module: NonNullable<typeof threads>, source: string, flags: string) {
    this.#worker = new module.Worker(new URL("./regex-thread.js", import.meta.url), {
      workerData: { source, flags },
      // The worker needs no environment and no loaders.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    this.#worker.on("message", (message: WorkerAnswer | WorkerStarted) => {
      if (!("threadId" in message)) this.#settle?.(message);
    });
    this.#worker.on("error", () => this.#settle?.({ failed: true }));
    this.#worker.on("exit", () => {
      this.#exited = true;
      this.#settle?.(undefined);
    });
    this.#online = new Promise((resolve) => {
      this.#worker.once("message", ({ threadId }: WorkerStarted) => {
        this.#threadId = threadId;
        resolve();
      });
      this.#worker.once("exit", () => resolve());
    });
  }

  /** Runs one search at a time. Returns `undefined` when `budgetMs` is used up or the worker was ended. */
  async search(
    texts: readonly GrepText[],
    maxLines: number,
    budgetMs: number,
  ): Promise<WorkerAnswer | undefined> {
    // Only a search in progress keeps the process alive.
    this.#worker.ref();
    try {
      // The start of the thread is not counted, because it depends on the load of the machine.
      await this.#online;
      await this.#handOver(texts);
      return this.#exited ? undefined : await this.#ask(maxLines, budgetMs);
    } finally {
      this.#worker.unref();
    }
  }

  /** Does not wait for the thread to end. */
  end(): void {
    void this.#worker.terminate();
  }

  /** The budget counts processor time, so that a pattern is not refused because other programs run. */
  #ask(maxLines: number, budgetMs: number): Promise<WorkerAnswer | undefined> {
    return new Promise((resolve) => {
      const startMs = this.#cpuMs();
      const lastMs = performance.now() + budgetMs * MAX_WAIT_FACTOR;
      let timer: ReturnType<typeof setTimeout>;
      const wait = (leftMs: number) => {
        timer = setTimeout(() => {
          const stillMs = budgetMs - (this.#cpuMs() - startMs);
          if (stillMs > 0 && performance.now() < lastMs) wait(stillMs);
          else this.#settle?.(undefined);
        }, Math.ceil(leftMs));
      };
      this.#settle = (answer) => {
        clearTimeout(timer);
        this.#settle = undefined;
        resolve(answer);
      };
      wait(budgetMs);
      this.#worker.postMessage({ maxLines });
    });
  }

  /** The CPU time of the thread so far, or the wall-clock time if the kernel does not report it. */
  #cpuMs(): number {
    if (this.#threadId === undefined || fs === undefined) return performance.now();
    try {
      const text = fs.readFileSync(`/proc/self/task/${this.#threadId}/schedstat`, "latin1");
      return Number.parseInt(text, 10) / 1e6;
    } catch {
      return performance.now();
    }
  }

  async #handOver(texts: readonly GrepText[]): Promise<void> {
    for (const { text } of texts) {
      for (let start = 0; start < text.length; start += PART_CHARACTERS) {
        this.#worker.postMessage({ part: text.slice(start, start + PART_CHARACTERS) });
        if (text.length > PART_CHARACTERS) await nextTurn();
      }
      this.#worker.postMessage({ endOfText: true });
    }
  }
}
