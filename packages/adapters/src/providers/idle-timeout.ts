import { ModelError } from "../error/model-error.js";
import { MAX_TIMER_MS } from "../runtime/context/max-timer.js";

/** Watches one answer. Aborts it when the caller aborts, and when no data arrives for too long. */
export class IdleTimeout {
  readonly #controller = new AbortController();
  readonly #wanted: AbortSignal;
  readonly #idleTimeoutMs: number;
  readonly #stop: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastMs = performance.now();
  #begun = false;
  #timeoutError: ModelError | undefined;

  constructor(wanted: AbortSignal, idleTimeoutMs: number) {
    this.#wanted = wanted;
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#stop = () => this.#controller.abort(wanted.reason);
    wanted.addEventListener("abort", this.#stop, { once: true });
    this.#wait(idleTimeoutMs);
  }

  /** Aborts when the answer must end. The owner of the connection then closes it. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Set if the answer was aborted because no data arrived. */
  get timeoutError(): ModelError | undefined {
    return this.#timeoutError;
  }

  /** Whether any data arrived. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Records that data arrived. */
  touch(): void {
    this.#begun = true;
    this.#lastMs = performance.now();
  }

  /** Aborts the rest of the answer. */
  close(): void {
    clearTimeout(this.#timer);
    this.#wanted.removeEventListener("abort", this.#stop);
    this.#controller.abort();
  }

  // One timer for many chunks, because resetting it for each would cost more than reading them.
  #wait(delayMs: number): void {
    if (delayMs > MAX_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      const leftMs = this.#lastMs + this.#idleTimeoutMs - performance.now();
      if (leftMs > 0) this.#wait(leftMs);
      else this.#timeOut();
    }, delayMs);
  }

  #timeOut(): void {
    const seconds = this.#idleTimeoutMs / 1000;
    this.#timeoutError = new ModelError("NETWORK", { reason: `no data arrived for ${seconds} s` });
    this.#controller.abort(this.#timeoutError);
  }
}
