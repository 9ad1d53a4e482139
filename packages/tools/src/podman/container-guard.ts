import type { RunningExec } from "./container-engine.js";

/** A guard that has not answered by then counts as dead, and the container must be removed. */
const MAX_ANSWER_MS = 30_000;
const MAX_LINE_CHARACTERS = 1_000;

/**
 * The process in a container that kills every process that commands started.
 *
 * It runs as another user than the commands and as long as the container. So a kill starts no new process, and no
 * command can stop, change or imitate the guard. It handles one request at a time.
 */
export class ContainerGuard {
  readonly #running: RunningExec;
  #text = "";
  #onLine: ((line: string | undefined) => void) | undefined;
  #isGone = false;

  private constructor(running: RunningExec) {
    this.#running = running;
    running.stdout.on("data", (chunk: Buffer) => this.#read(chunk.toString("latin1")));
    running.stderr.resume();
    // The guard may exit during a write.
    running.stdin?.on("error", () => {});
    void running.ended.then(() => this.#lose());
  }

  /** Resolves when the guard is ready, or to `undefined` if it did not start. */
  static async start(running: RunningExec): Promise<ContainerGuard | undefined> {
    const guard = new ContainerGuard(running);
    if ((await guard.#nextLine()) === "ready") return guard;
    guard.abandon();
    return undefined;
  }

  /** Kills every process that commands started. Resolves to whether all of them are dead. */
  async killAll(): Promise<boolean> {
    if (this.#isGone) return false;
    const answer = this.#nextLine();
    this.#running.stdin?.write("kill\n");
    return (await answer) === "left 0";
  }

  /** Kills the client. The guard itself ends with its container. */
  abandon(): void {
    this.#lose();
    this.#running.abandon();
  }

  /** The timer also keeps this process alive until the answer arrives. */
  #nextLine(): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (this.#isGone) return resolve(undefined);
      const timer = setTimeout(() => this.#lose(), MAX_ANSWER_MS);
      this.#onLine = (line) => {
        clearTimeout(timer);
        this.#onLine = undefined;
        resolve(line);
      };
    });
  }

  #read(text: string): void {
    this.#text = (this.#text + text).slice(-MAX_LINE_CHARACTERS);
    for (let end = this.#text.indexOf("\n"); end >= 0; end = this.#text.indexOf("\n")) {
      const line = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 1);
      this.#onLine?.(line);
    }
  }

  /** Lost for good: otherwise a late answer would be read as the answer to the next request. */
  #lose(): void {
    this.#isGone = true;
    this.#onLine?.(undefined);
  }
}
