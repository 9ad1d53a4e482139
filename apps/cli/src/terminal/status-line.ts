import picocolors from "picocolors";
import type { Io } from "./io.js";
import { oneLine } from "./terminal-text.js";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const FRAME_MS = 100;
/** Longer than on a terminal, because there each line stays. */
const PIPED_MS = 5_000;
const CLEAR = "\r\u001b[K";

type StatusTerminal = Pick<Io, "stderr" | "isTerminal" | "columns" | "stderrColor">;

/**
 * Shows what the command waits for: a moving line with the seconds on a terminal, and an occasional
 * line elsewhere. Clear it before other code writes; the functions of print.ts do that.
 *
 * clack's spinner is not used, because it ends the process at Ctrl-C, and a run must roll back.
 */
export class StatusLine {
  readonly #terminal: StatusTerminal;
  #text = "";
  #detail = "";
  #startedAtMs = 0;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: StatusTerminal) {
    this.#terminal = terminal;
  }

  /**
   * Shows a text. The seconds count from the first call with this text.
   *
   * @param detail follows the seconds and may change, such as a count of files
   */
  show(text: string, detail = ""): void {
    if (text !== this.#text) this.#startedAtMs = performance.now();
    this.#text = text;
    this.#detail = detail;
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#draw(), this.#terminal.isTerminal ? FRAME_MS : PIPED_MS);
    // Waiting for the timer alone must not keep the process alive.
    this.#timer.unref();
  }

  clear(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#text = "";
    if (this.#terminal.isTerminal) this.#terminal.stderr.write(CLEAR);
  }

  #draw(): void {
    const { stderr, isTerminal, columns, stderrColor } = this.#terminal;
    const seconds = Math.floor((performance.now() - this.#startedAtMs) / 1000);
    const parts = [this.#text, ...(seconds > 0 ? [`${seconds} s`] : []), this.#detail];
    const text = oneLine(parts.filter(Boolean).join("  "), columns - 3);
    if (!isTerminal) stderr.write(`${text}\n`);
    else {
      const frame = FRAMES[this.#frame++ % FRAMES.length];
      stderr.write(`${CLEAR}${picocolors.createColors(stderrColor).dim(`${frame} ${text}`)}`);
    }
  }
}
