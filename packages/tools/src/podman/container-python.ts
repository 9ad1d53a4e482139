import { isToolsError } from "../error/tools-error.js";
import type { PythonEngine, PythonOutcome, PythonRequest } from "../python/python-engine.js";
import { answerError } from "../reply/answer-error.js";
import { CONTAINER_PYTHON } from "./container-python-program.js";
import { isCall, isOutcome, readLines } from "./python-messages.js";
import type { ResolvedConfig } from "./resolve-config.js";
import type { CommandResult, Sandbox } from "./sandbox.js";

const DESCRIPTION =
  "It is the container's python3 with the whole standard library. It can also access the workspace files directly.";

/** Runs Python in the container of a sandbox. Each program gets its own interpreter process. */
export class ContainerPython implements PythonEngine {
  readonly name = "container";
  readonly description = DESCRIPTION;
  readonly #sandbox: Sandbox;
  readonly #config: ResolvedConfig;

  constructor(sandbox: Sandbox, config: ResolvedConfig) {
    this.#sandbox = sandbox;
    this.#config = config;
  }

  async run(request: PythonRequest): Promise<PythonOutcome> {
    const { limits, signal } = request;
    let outcome: PythonOutcome | undefined;
    try {
      const result = await this.#sandbox.run({
        argv: ["python3", "-I", "-c", CONTAINER_PYTHON],
        directory: this.#config.workspaceRoot,
        env: {},
        timeoutMs: limits.timeoutMs,
        signal,
        keepBackground: false,
        converse: (stdin) =>
          converse(request, stdin, (done) => {
            outcome ??= done;
          }),
      });
      return conclude(result, outcome);
    } catch (error) {
      if (!isToolsError(error)) throw error;
      const { message } = answerError(error, (name) => name);
      return { kind: "raised", error: message, stdout: "", stderr: "" };
    }
  }

  /** Does nothing: the section owns the container. */
  async close(): Promise<void> {}
}

/** `CONTAINER_PYTHON` itself waits for each answer. More unanswered calls than this come from hostile code. */
const MAX_UNANSWERED = 16;
const NO_SUCH_FUNCTION = {
  raise: { type: "NameError", message: "unknown function" },
} as const;

/** Answers the program's calls. Ignores lines that are not messages of `CONTAINER_PYTHON`. */
function converse(
  { code, globals, exports, limits, functions }: PythonRequest,
  stdin: NodeJS.WritableStream,
  onDone: (outcome: PythonOutcome) => void,
): (chunk: Buffer) => void {
  let unanswered = 0;
  const send = (message: unknown, onTaken?: () => void) =>
    void stdin.write(`${JSON.stringify(message)}\n`, onTaken);
  send({ code, globals, exports, limits, functions: Object.keys(functions) });
  return readLines(async (message) => {
    if (isOutcome(message)) return onDone(message.outcome);
    // Without this limit, a program that never reads its answers would fill the host's memory with them.
    if (!isCall(message) || unanswered >= MAX_UNANSWERED) return;
    unanswered++;
    const call = Object.hasOwn(functions, message.name) ? functions[message.name] : undefined;
    const answer = await call?.(message.args);
    send(answer ?? NO_SUCH_FUNCTION, () => {
      unanswered--;
    });
  });
}

const ENDED_BY = { time: "time", output: "output", disk: "crash", abort: "crash" } as const;
const NO_SUCH_PROGRAM = 127;

function conclude(result: CommandResult, outcome: PythonOutcome | undefined): PythonOutcome {
  const { changed, removed, stderr, stopped, exitCode, isOverDisk } = result;
  if (isOverDisk)
    return {
      kind: "raised",
      error: "OSError: the workspace exceeds its size limit after the program",
      stdout: outcome?.stdout ?? "",
      stderr: "",
    };
  if (outcome?.kind === "completed") {
    const printed = [outcome.stderr, stderr].filter((text) => text !== "").join("\n");
    return { ...outcome, stderr: printed, direct: { changed, removed } };
  }
  if (outcome !== undefined) return outcome;
  if (stopped !== undefined) return { kind: "ended", limit: ENDED_BY[stopped], stdout: "" };
  if (exitCode === NO_SUCH_PROGRAM)
    return { kind: "raised", error: "The image has no python3.", stdout: "", stderr: "" };
  // 137 means SIGKILL. We did not send it, so the kernel did, because memory ran out.
  return { kind: "ended", limit: exitCode === 137 ? "memory" : "crash", stdout: "" };
}
