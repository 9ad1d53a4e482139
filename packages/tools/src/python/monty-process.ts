import { type ChildProcess, spawn } from "node:child_process";
import { MONTY_PROGRAM } from "./monty-program.js";
import type { HostAnswer, PlainValue, PythonOutcome } from "./python-engine.js";

/** What the process says. It holds no more of the interpreter than plain data. */
export type MontyMessage =
  | { readonly type: "ready" }
  | { readonly type: "call"; readonly name: string; readonly args: readonly PlainValue[] }
  | { readonly type: "done"; readonly outcome: PythonOutcome };

export type MontyRequest =
  | { readonly type: "run"; readonly [field: string]: unknown }
  | { readonly type: "answer"; readonly answer: HostAnswer };

/** JavaScript of its own that the process may use beside the interpreter. */
const MAX_HEAP_MB = 128;

/** A process with the interpreter in it. It sees nothing of the host's environment. */
export class MontyProcess {
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  #listener: ((message: MontyMessage | undefined) => void) | undefined;
  #gone = false;

  /** `url` is where the interpreter's module is. */
  constructor(url: string) {
    const args = [
      `--max-old-space-size=${MAX_HEAP_MB}`,
      "--input-type=module",
      "-e",
      MONTY_PROGRAM,
      url,
    ];
    this.#child = spawn(process.execPath, args, {
      env: {},
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      windowsHide: true,
    });
    this.#ready = new Promise((resolve) => {
      this.#child.once("message", () => resolve());
      this.#child.once("exit", () => resolve());
      this.#child.once("error", () => resolve());
    });
    this.#child.on("message", (message: MontyMessage) => this.#listener?.(message));
    this.#child.on("exit", () => this.#end());
    this.#child.on("error", () => this.#end());
    this.#rest();
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Starting takes what the machine's load makes it take, so it counts against no program. */
  async ready(): Promise<void> {
    this.#work();
    await this.#ready;
    this.#rest();
  }

  send(request: MontyRequest): void {
    if (!this.#gone) this.#child.send(request, () => {});
  }

  /** The next message; `undefined` when the process is gone. */
  next(): Promise<MontyMessage | undefined> {
    if (this.#gone) return Promise.resolve(undefined);
    this.#work();
    return new Promise((resolve) => {
      this.#listener = (message) => {
        this.#listener = undefined;
        this.#rest();
        resolve(message);
      };
    });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
    this.#end();
  }

  #end(): void {
    this.#gone = true;
    this.#listener?.(undefined);
  }

  /** Only a program under way keeps the host from ending. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  #work(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }
}
