import type { MountProgress } from "@wink/workspace";
import type { Io } from "../terminal/io.js";
import { count, size } from "./amounts.js";

const EVERY_MS = 100;
/** Longer than on a terminal, because there each line stays. */
const EVERY_MS_PIPED = 5_000;

/** Shows the progress of copying: one updated line on a terminal, an occasional line elsewhere. */
export class MountProgressLine {
  readonly #io: Io;
  // Starts now, so that a fast copy shows no line.
  #shownAtMs = performance.now();
  #isOpen = false;

  constructor(io: Io) {
    this.#io = io;
  }

  readonly onProgress = ({ fileCount, totalBytes }: MountProgress): void => {
    const now = performance.now();
    if (now - this.#shownAtMs < (this.#io.isTerminal ? EVERY_MS : EVERY_MS_PIPED)) return;
    this.#shownAtMs = now;
    const text = `  copying: ${count(fileCount, "file")}, ${size(totalBytes)}`;
    this.#io.stderr.write(this.#io.isTerminal ? `\r${text}\u001b[K` : `${text}\n`);
    this.#isOpen = true;
  };

  /** Removes the progress line. */
  end(): void {
    if (this.#isOpen && this.#io.isTerminal) this.#io.stderr.write("\r\u001b[K");
    this.#isOpen = false;
  }
}
