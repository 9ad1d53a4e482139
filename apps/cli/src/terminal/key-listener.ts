import { emitKeypressEvents } from "node:readline";
import type { Readable } from "node:stream";

type Input = Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

interface Key {
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly name?: string;
}

/** The signals that a terminal sends for these keys. In raw mode it sends the keys instead. */
const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  c: "SIGINT",
  z: "SIGTSTP",
  "\\": "SIGQUIT",
};

/**
 * Listens to the Esc key while a command works. Node restores the terminal when the process ends.
 *
 * A question reads the keys itself, so it pauses the listener.
 */
export class KeyListener {
  readonly #input: Input;
  #onEscape: (() => void) | undefined;
  #questions = 0;
  #typed = "";

  constructor(input: Input) {
    this.#input = input;
  }

  /** Calls `onEscape` for every Esc key, also at a question. Returns a function that stops this. */
  listen(onEscape: () => void): () => void {
    this.#onEscape = onEscape;
    this.#update();
    return () => {
      if (this.#onEscape === onEscape) this.#onEscape = undefined;
      this.#update();
    };
  }

  /** Leaves the keys to a question, which calls `escape` for the Esc key. Returns a function that ends this. */
  pause(): () => void {
    this.#questions++;
    this.#update();
    return () => {
      this.#questions--;
      this.#update();
    };
  }

  /** The text that the person typed while no question read the keys. It starts the answer to the next question. */
  takeTyped(): string {
    const typed = this.#typed;
    this.#typed = "";
    return typed;
  }

  escape(): void {
    this.#onEscape?.();
  }

  #update(): void {
    const input = this.#input;
    if (!input.isTTY) return;
    input.off("keypress", this.#onKey);
    const isActive = this.#onEscape !== undefined && this.#questions === 0;
    input.setRawMode?.(isActive);
    if (!isActive) {
      // Otherwise the process would wait for more keys at its end.
      if (this.#questions === 0) input.pause();
      return;
    }
    emitKeypressEvents(input);
    input.on("keypress", this.#onKey).resume();
  }

  readonly #onKey = (text: unknown, { ctrl = false, meta = false, name = "" }: Key = {}): void => {
    if (name === "backspace") this.#typed = this.#typed.slice(0, -1);
    // Enter is ignored: the typed text waits for the next question, so that the person can read the answer first.
    else if (typeof text === "string" && !ctrl && !meta && /^[^\p{Cc}]+$/u.test(text))
      this.#typed += text;
    if (name === "escape") this.escape();
    const signal = ctrl ? SIGNALS[name] : undefined;
    if (signal === undefined) return;
    if (signal === "SIGTSTP") {
      this.#input.setRawMode?.(false);
      process.once("SIGCONT", () => this.#update());
    }
    // To the whole process group, as the terminal does.
    process.kill(0, signal);
  };
}
