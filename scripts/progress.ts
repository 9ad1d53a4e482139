/** Where progress is printed, such as `process.stdout`. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly stream: ProgressStream;
  /** How long all of it usually takes. */
  readonly usualMs: number;
  /** Milliseconds since some moment. @default performance.now */
  readonly now?: () => number;
}

/** A log is read later, so it gets a line less often than a terminal. */
const TERMINAL_INTERVAL_MS = 1_000;
const LOG_INTERVAL_MS = 15_000;

/** Shows the running checks and their progress: one redrawn line on a terminal, separate lines in a log. */
export class Progress implements Disposable {
  readonly #stream: ProgressStream;
  readonly #usualMs: number;
  readonly #now: () => number;
  readonly #start: number;
  readonly #running = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;

  constructor({ stream, usualMs, now = () => performance.now() }: ProgressOptions) {
    this.#stream = stream;
    this.#usualMs = usualMs;
    this.#now = now;
    this.#start = now();
    const interval = stream.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
    this.#timer = setInterval(() => this.show(), interval).unref();
  }

  /** Starts a part, or updates its progress. */
  update(name: string, text: string): void {
    this.#running.set(name, text);
    if (this.#stream.isTTY) this.show();
  }

  /** Ends a part and prints its result. */
  finish(name: string, result: string): void {
    this.#running.delete(name);
    this.#clear();
    this.#stream.write(`${result}\n`);
    if (this.#stream.isTTY) this.show();
  }

  /** Prints the current state. */
  show(): void {
    if (this.#running.size === 0) return;
    const line = this.#line();
    this.#clear();
    if (!this.#stream.isTTY) this.#stream.write(`  … ${line}\n`);
    // A line that wraps cannot be redrawn. Some terminals report a width of 0.
    else this.#stream.write(line.slice(0, (this.#stream.columns || 80) - 1));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  #line(): string {
    const parts = [...this.#running].map(([name, text]) => `${name} ${text}`.trimEnd());
    const elapsed = formatDuration(this.#now() - this.#start);
    return `${parts.join("; ")}, ${elapsed} of about ${formatDuration(this.#usualMs)}`;
  }

  #clear(): void {
    if (this.#stream.isTTY) this.#stream.write("\r\u001b[K");
  }
}

/** `45s`, `1m12s`, `4m` */
export function formatDuration(durationMs: number): string {
  const total = Math.round(durationMs / 1000);
  const minutes = Math.floor(total / 60);
  const seconds = total % 60;
  if (minutes === 0) return `${seconds}s`;
  return seconds === 0 ? `${minutes}m` : `${minutes}m${seconds}s`;
}
