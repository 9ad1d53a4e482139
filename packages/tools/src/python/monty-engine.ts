import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { ToolsError } from "../error/tools-error.js";
import { MontyProcess } from "./monty-process.js";
import type { PythonEngine, PythonOutcome, PythonRequest } from "./python-engine.js";

/** The interpreter enforces the timeout itself. This margin is for code during which it does not check the clock. */
const GRACE_MS = 500;

const DESCRIPTION =
  "It is a small Python without classes and generators. Of the library it has only parts of math, re, json, datetime, typing, asyncio, os.path and sys. It has no network, no clock and no processes.";

/**
 * Runs Python with Monty, an interpreter for programs written by models, in a separate process.
 *
 * The process is started for the first call and reused. It is replaced if a program crashes it or does not end.
 * Programs run one at a time, each in a new interpreter.
 */
export class MontyEngine implements PythonEngine {
  readonly name = "monty";
  readonly description = DESCRIPTION;
  readonly #url: string;
  #process: MontyProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Throws if `@pydantic/monty` is not installed. */
  constructor() {
    this.#url = locateMonty();
  }

  async run(request: PythonRequest): Promise<PythonOutcome> {
    const turn = this.#last.then(() => this.#runNow(request));
    this.#last = turn.catch(() => {});
    return await turn;
  }

  async close(): Promise<void> {
    this.#process?.kill();
    this.#process = undefined;
  }

  async #runNow(request: PythonRequest): Promise<PythonOutcome> {
    const { code, globals, exports, limits, functions, signal } = request;
    signal.throwIfAborted();
    const interpreter = this.#processFor(limits.maxMemoryBytes);
    await interpreter.ready();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      interpreter.kill();
    }, limits.timeoutMs + GRACE_MS);
    const abort = () => interpreter.kill();
    signal.addEventListener("abort", abort, { once: true });
    try {
      interpreter.send({
        type: "run",
        code,
        globals,
        exports,
        limits,
        functions: Object.keys(functions),
      });
      const outcome = await converse(interpreter, request);
      signal.throwIfAborted();
      if (outcome !== undefined) return outcome;
      const limit = isLate ? "time" : interpreter.isOutOfMemory ? "memory" : "crash";
      return { kind: "ended", limit, stdout: "" };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  }

  /** The memory limit of a process cannot be changed, so another limit needs a new process. */
  #processFor(maxMemoryBytes: number): MontyProcess {
    const current = this.#process;
    if (current && !current.isGone && current.maxMemoryBytes === maxMemoryBytes) return current;
    current?.kill();
    this.#process = new MontyProcess({ url: this.#url, maxMemoryBytes });
    return this.#process;
  }
}

/** Answers the program's calls until it ends. Resolves to `undefined` if the process died. */
async function converse(
  interpreter: MontyProcess,
  { functions }: PythonRequest,
): Promise<PythonOutcome | undefined> {
  for (;;) {
    const message = await interpreter.next();
    if (message === undefined) return undefined;
    if (message.type === "done") return message.outcome;
    if (message.type !== "call") continue;
    const call = Object.hasOwn(functions, message.name) ? functions[message.name] : undefined;
    const answer = await call?.(message.args);
    interpreter.send({
      type: "answer",
      answer: answer ?? { raise: { type: "NameError", message: "unknown function" } },
    });
  }
}

function locateMonty(): string {
  try {
    const path = createRequire(import.meta.url).resolve("@pydantic/monty");
    return pathToFileURL(path).href;
  } catch (cause) {
    throw new ToolsError("INTERPRETER_MISSING", {
      subject: "PythonSection",
      reason: "the package @pydantic/monty is not installed",
      action: "Install it: pnpm add @pydantic/monty",
      cause,
    });
  }
}
