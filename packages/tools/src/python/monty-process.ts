import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { Socket } from "node:net";
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

/** What the process may use for JavaScript, besides the interpreter. */
const MAX_HEAP_MB = 128;

/**
 * How much more data the process may have than the program: for Node, and for values on their way to JSON. The
 * interpreter checks its limit only now and then, and values that share their parts are copied out of it in full.
 */
export const MEMORY_OVERHEAD_BYTES: number = 256 * 1024 * 1024;

export interface MontyProcessOptions {
  /** Where the interpreter's module is. */
  readonly url: string;
  /** What a program may use. The process may use `MEMORY_OVERHEAD_BYTES` more, and is ended beyond that. */
  readonly maxMemoryBytes: number;
  /** Who holds it to that limit: the kernel, or a thread that looks at what is resident. @default the kernel on Linux */
  readonly limitedBy?: "kernel" | "watcher" | undefined;
}

/** A process with the interpreter in it. It sees nothing of the host's environment. */
export class MontyProcess {
  readonly maxMemoryBytes: number;
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  #listener: ((message: MontyMessage | undefined) => void) | undefined;
  #lastWords = "";
  #isGone = false;
  #wasKilled = false;
  #isOutOfMemory = false;

  constructor(options: MontyProcessOptions) {
    this.maxMemoryBytes = options.maxMemoryBytes;
    const [program = "", ...args] = commandLine(options);
    this.#child = spawn(program, args, {
      env: {},
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      windowsHide: true,
    });
    this.#ready = new Promise((resolve) => {
      this.#child.once("message", () => resolve());
      this.#child.once("close", () => resolve());
      this.#child.once("error", () => resolve());
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString("latin1")).slice(-MAX_LAST_WORDS);
    });
    this.#child.on("message", (message: MontyMessage) => this.#listener?.(message));
    this.#child.on("close", (_, signal) => {
      // The kernel itself sends this signal when the machine has no memory left.
      const isVictim = signal === "SIGKILL" && !this.#wasKilled;
      this.#isOutOfMemory = isVictim || OUT_OF_MEMORY.test(this.#lastWords);
      this.#end();
    });
    this.#child.on("error", () => this.#end());
    this.#rest();
  }

  /** Whether it ended because it wanted more memory than it may have. */
  get isOutOfMemory(): boolean {
    return this.#isOutOfMemory;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Resolves when the interpreter is loaded. That time depends on the load of the machine and is not the program's. */
  async ready(): Promise<void> {
    this.#work();
    await this.#ready;
    this.#rest();
  }

  send(request: MontyRequest): void {
    if (!this.#isGone) this.#child.send(request, () => {});
  }

  /** The next message; `undefined` when the process is gone. */
  next(): Promise<MontyMessage | undefined> {
    if (this.#isGone) return Promise.resolve(undefined);
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
    this.#wasKilled = true;
    this.#child.kill("SIGKILL");
    this.#end();
  }

  #end(): void {
    this.#isGone = true;
    this.#listener?.(undefined);
  }

  /** Only a running program keeps the host process alive. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    if (this.#child.stderr instanceof Socket) this.#child.stderr.unref();
  }

  #work(): void {
    this.#child.ref();
    this.#child.channel?.ref();
    if (this.#child.stderr instanceof Socket) this.#child.stderr.ref();
  }
}

const MAX_LAST_WORDS = 4_000;
/** What the interpreter, Node and the watcher write before they end for want of memory. */
const OUT_OF_MEMORY = /memory allocation of|out of memory|bad_alloc|allocation failed/i;

/** The shell sets the limit on data and becomes Node. Node's address space is too large for a limit on that. */
const LIMITED =
  'ulimit -d "$1" 2>/dev/null || [ "$(ulimit -d)" != unlimited ] || exit 1; shift; exec "$@"';
const SHELL = "/bin/sh";

function commandLine({ url, maxMemoryBytes, limitedBy }: MontyProcessOptions): readonly string[] {
  const maxBytes = maxMemoryBytes + MEMORY_OVERHEAD_BYTES;
  const hasKernelLimit = process.platform === "linux" && existsSync(SHELL);
  const isWatched = (limitedBy ?? (hasKernelLimit ? "kernel" : "watcher")) === "watcher";
  const node = [
    process.execPath,
    `--max-old-space-size=${MAX_HEAP_MB}`,
    "--input-type=module",
    "-e",
    MONTY_PROGRAM,
    // Read from the end of its arguments.
    ...[isWatched ? String(maxBytes) : "", url],
  ];
  return isWatched
    ? node
    : [SHELL, "-c", LIMITED, "sh", String(Math.ceil(maxBytes / 1024)), ...node];
}
