import { MAX_TIMER_MS } from "../runtime/context/longest-timer.js";
import { ModelError } from "../runtime/loop/model-error.js";

/** Watches over one answer: ends it when it is no longer wanted, and when nothing of it has come for too long. */
export class AnswerWatch {
  readonly #controller = new AbortController();
  readonly #wanted: AbortSignal;
  readonly #idleTimeoutMs: number;
  readonly #stop: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastMs = performance.now();
  #begun = false;
  #silence: ModelError | undefined;

  constructor(wanted: AbortSignal, idleTimeoutMs: number) {
    this.#wanted = wanted;
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#stop = () => this.#controller.abort(wanted.reason);
    wanted.addEventListener("abort", this.#stop, { once: true });
    this.#wait(idleTimeoutMs);
  }

  /** Aborts when the answer is to be ended; whoever holds the connection closes it then. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Set when the answer was ended because nothing came. */
  get silence(): ModelError | undefined {
    return this.#silence;
  }

  /** Whether anything came. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Something came, of whatever kind. */
  touch(): void {
    this.#begun = true;
    this.#lastMs = performance.now();
  }

  /** Ends what is left of the answer. */
  close(): void {
    clearTimeout(this.#timer);
    this.#wanted.removeEventListener("abort", this.#stop);
    this.#controller.abort();
  }

  // One timer for many pieces: setting it anew for each would cost more than reading them.
  #wait(delayMs: number): void {
    if (delayMs > MAX_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      const leftMs = this.#lastMs + this.#idleTimeoutMs - performance.now();
      if (leftMs > 0) this.#wait(leftMs);
      else this.#giveUp();
    }, delayMs);
  }

  #giveUp(): void {
    const seconds = this.#idleTimeoutMs / 1000;
    this.#silence = new ModelError("network", { reason: `nothing came for ${seconds} s` });
    this.#controller.abort(this.#silence);
  }
}
