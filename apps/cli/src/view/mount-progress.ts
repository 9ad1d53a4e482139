import type { MountProgress } from "@wink/filesystem/host";
import type { Io } from "../terminal/io.js";
import { count, size } from "./amounts.js";

const EVERY_MS = 100;
/** Without a terminal each line stays, so there are few. */
const EVERY_MS_PIPED = 5_000;

/** Shows how far the copying of files has come: one line that counts on a terminal, a line now and then elsewhere. */
export class MountProgressLine {
  readonly #io: Io;
  // A copy that is made at once needs no line.
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

  /** Takes the counting line away, so that the next one stands in its place. */
  end(): void {
    if (this.#isOpen && this.#io.isTerminal) this.#io.stderr.write("\r\u001b[K");
    this.#isOpen = false;
  }
}
