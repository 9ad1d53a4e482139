import type { RunningExec } from "./container-engine.js";

/** A guard that has not answered by then is taken for dead, and the container has to go. */
const MAX_ANSWER_MS = 30_000;
const MAX_LINE_CHARACTERS = 1_000;

/**
 * The process in a container that kills what commands started.
 *
 * It runs as another user than the commands and lives as long as the container, so a kill costs no new process and
 * no command can stop, change or imitate it. One request at a time.
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
    // The guard may end while it is written to.
    running.stdin?.on("error", () => {});
    void running.ended.then(() => this.#lose());
  }

  /** Resolves when the guard is ready; `undefined` when it did not start. */
  static async start(running: RunningExec): Promise<ContainerGuard | undefined> {
    const guard = new ContainerGuard(running);
    if ((await guard.#nextLine()) === "ready") return guard;
    guard.abandon();
    return undefined;
  }

  /** Kills everything that commands started. Resolves to whether all of it is dead. */
  async killAll(): Promise<boolean> {
    if (this.#isGone) return false;
    const answer = this.#nextLine();
    this.#running.stdin?.write("kill\n");
    return (await answer) === "left 0";
  }

  /** Ends the client. The guard itself goes with its container. */
  abandon(): void {
    this.#lose();
    this.#running.abandon();
  }

  /** The timer also keeps this process from ending before the answer is there. */
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

  /** A late answer must not be taken for the answer to the next request, so a guard that was lost stays lost. */
  #lose(): void {
    this.#isGone = true;
    this.#onLine?.(undefined);
  }
}
