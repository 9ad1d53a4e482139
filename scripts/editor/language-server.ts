import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { root } from "../repository.js";

/** The parts of tsserver's answers that the probe reads. */
interface Answer {
  readonly type: string;
  readonly request_seq?: number;
  readonly success?: boolean;
  readonly message?: string;
  readonly body?: unknown;
}

/** A running tsserver, the program that gives editors their types. */
export class LanguageServer implements Disposable {
  readonly #server;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #sequence = 0;

  constructor() {
    // The compiler of the clone is native and has no tsserver. The reference uses one that has it.
    const { resolve } = createRequire(path.join(root, "apps/reference/package.json"));
    const args = [resolve("typescript/lib/tsserver.js"), "--disableAutomaticTypingAcquisition"];
    this.#server = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#server.stdout }).on("line", (line) => {
      // The other lines are headers with the length.
      if (!line.startsWith("{")) return;
      // The protocol of the version that the lockfile pins.
      const answer = JSON.parse(line) as Answer;
      if (answer.type === "response") this.#waiting.get(answer.request_seq ?? -1)?.(answer);
    });
    this.#server.once("exit", () => {
      const message = "tsserver ended before it answered";
      for (const settle of this.#waiting.values()) settle({ type: "response", message });
    });
  }

  /** Sends a command without an answer, such as `open`. */
  notify(command: string, given: object): void {
    this.#send(command, given);
  }

  /** Sends a command and resolves to the body of its answer. */
  ask(command: string, given: object): Promise<unknown> {
    const sequence = this.#send(command, given);
    return new Promise((resolve, reject) => {
      this.#waiting.set(sequence, ({ success, message, body }) =>
        success ? resolve(body) : reject(new Error(`${command}: ${message}`)),
      );
    });
  }

  [Symbol.dispose](): void {
    this.#server.kill();
  }

  #send(command: string, given: object): number {
    const seq = ++this.#sequence;
    const request = { seq, type: "request", command, arguments: given };
    this.#server.stdin.write(`${JSON.stringify(request)}\n`);
    return seq;
  }
}
