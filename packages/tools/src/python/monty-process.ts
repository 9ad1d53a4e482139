import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { HostAnswer, PlainValue, PythonOutcome } from "./python-engine.js";

/** A message from the process. It contains only plain data. */
export type MontyMessage =
  | { readonly type: "ready" }
  | { readonly type: "call"; readonly name: string; readonly args: readonly PlainValue[] }
  | { readonly type: "done"; readonly outcome: PythonOutcome };

export type MontyRequest =
  | { readonly type: "run"; readonly [field: string]: unknown }
  | { readonly type: "answer"; readonly answer: HostAnswer };

/** The size of the JavaScript heap, in addition to the interpreter's memory. */
const MAX_HEAP_MB = 128;

/**
 * The memory of the process in addition to the program's limit: for Node and for values during conversion to JSON.
 * The interpreter checks its limit only from time to time, and values with shared parts are copied in full.
 */
export const MEMORY_OVERHEAD_BYTES: number = 256 * 1024 * 1024;

export interface MontyProcessOptions {
  /** The URL of the interpreter's module. */
  readonly url: string;
  /** The program's limit. The process is killed if it uses more than `MEMORY_OVERHEAD_BYTES` in addition. */
  readonly maxMemoryBytes: number;
  /** What enforces the limit: the kernel, or a thread that checks the resident memory. @default the kernel on Linux */
  readonly limitedBy?: "kernel" | "watcher" | undefined;
}

/** A process that runs the interpreter, without the host's environment variables. */
export class MontyProcess {
  readonly maxMemoryBytes: number;
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  #listener: ((message: MontyMessage | undefined) => void) | undefined;
  #stderrTail = "";
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
      this.#stderrTail = (this.#stderrTail + chunk.toString("latin1")).slice(
        -MAX_STDERR_CHARACTERS,
      );
    });
    this.#child.on("message", (message: MontyMessage) => this.#listener?.(message));
    this.#child.on("close", (_, signal) => {
      // The kernel's OOM killer sends SIGKILL when the machine has no memory left.
      const isVictim = signal === "SIGKILL" && !this.#wasKilled;
      this.#isOutOfMemory = isVictim || OUT_OF_MEMORY.test(this.#stderrTail);
      this.#end();
    });
    this.#child.on("error", () => this.#end());
    this.#rest();
  }

  /** Whether it died because it exceeded its memory limit. */
  get isOutOfMemory(): boolean {
    return this.#isOutOfMemory;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Resolves when the interpreter is loaded. This time depends on the machine's load, so it does not count for the program's timeout. */
  async ready(): Promise<void> {
    this.#work();
    await this.#ready;
    this.#rest();
  }

  send(request: MontyRequest): void {
    if (!this.#isGone) this.#child.send(request, () => {});
  }

  /** The next message; `undefined` if the process has ended. */
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

  /** Lets the host process exit. Only a running program keeps it alive. */
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

const MAX_STDERR_CHARACTERS = 4_000;
/** Texts that the interpreter, Node and the watcher write when memory runs out. */
const OUT_OF_MEMORY = /memory allocation of|out of memory|bad_alloc|allocation failed/i;

/** The shell limits the data segment and then execs Node. Node's address space is too large to limit that instead. */
const LIMITED =
  'ulimit -d "$1" 2>/dev/null || [ "$(ulimit -d)" != unlimited ] || exit 1; shift; exec "$@"';
const SHELL = "/bin/sh";

const PROGRAM = fileURLToPath(new URL("./monty-program.js", import.meta.url));

function commandLine({ url, maxMemoryBytes, limitedBy }: MontyProcessOptions): readonly string[] {
  const maxBytes = maxMemoryBytes + MEMORY_OVERHEAD_BYTES;
  const hasKernelLimit = process.platform === "linux" && existsSync(SHELL);
  const isWatched = (limitedBy ?? (hasKernelLimit ? "kernel" : "watcher")) === "watcher";
  const node = [
    process.execPath,
    `--max-old-space-size=${MAX_HEAP_MB}`,
    PROGRAM,
    // The program reads these as its last two arguments.
    ...[isWatched ? String(maxBytes) : "", url],
  ];
  return isWatched
    ? node
    : [SHELL, "-c", LIMITED, "sh", String(Math.ceil(maxBytes / 1024)), ...node];
}
