import { CapturedOutput, OutputRoom } from "./captured-output.js";
import { type MarkedOutput, newMarks, readMarks } from "./command-marks.js";
import type { RunningExec } from "./container-engine.js";
import { MARKS_VARIABLE, WRAPPER } from "./container-programs.js";
import type { SandboxContainer } from "./sandbox-container.js";

/** Why a command was killed. */
export type StopReason = "time" | "output" | "disk" | "abort";

export interface CommandRequest {
  readonly argv: readonly string[];
  /** Absolute path in the container. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** @default empty */
  readonly stdin?: string | Uint8Array | undefined;
  readonly maxOutputBytes: number;
  readonly keepBackground: boolean;
  /** Exchanges messages with the command over its stdin and stdout. Its stdout is then not captured. @default none */
  readonly converse?: ((stdin: NodeJS.WritableStream) => (chunk: Buffer) => void) | undefined;
}

export interface FinishedCommand extends MarkedOutput {
  readonly stdout: CapturedOutput;
  /** The engine's own error output if the command never started, else empty. */
  readonly engineSaid: string;
  readonly clientExitCode: number | undefined;
  readonly isStderrCut: boolean;
  readonly stopped: StopReason | undefined;
  /** Whether the container can be reused. All processes of the command are dead, except background processes that may stay. */
  readonly isContainerGood: boolean;
}

/** How long the engine's client may take to notice that its command is dead. */
const NOTICE_MS = 15_000;
/** Longer than the end mark. */
const RECENT_CHARACTERS = 200;
/** The first kill misses a command that is still being started, so kill several times. */
const MAX_STOPS = 4;

/** Runs one command in a container, and ends when every process that it started is dead. */
export class CommandRun {
  readonly #container: SandboxContainer;
  readonly #running: RunningExec;
  readonly #marks = newMarks();
  readonly #keep: boolean;
  readonly #stdout: CapturedOutput;
  readonly #stderr: CapturedOutput;
  #stopped: StopReason | undefined;
  #stopping: Promise<boolean> | undefined;
  #hasEnded = false;

  constructor(container: SandboxContainer, request: CommandRequest) {
    const { argv, directory, env, stdin, maxOutputBytes, keepBackground, converse } = request;
    this.#container = container;
    this.#keep = keepBackground;
    const room = new OutputRoom(maxOutputBytes, () => this.stop("output"));
    this.#stdout = new CapturedOutput(room);
    this.#stderr = new CapturedOutput(room);
    const keep = keepBackground ? "keep" : "end";
    const hasStdin = stdin !== undefined || converse !== undefined;
    const input = hasStdin ? "input" : "none";
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const { begin, end } = this.#marks;
    this.#running = container.exec({
      text: WRAPPER,
      args: [directory, keep, input, ...variables, "--", ...argv],
      env: { [MARKS_VARIABLE]: `${begin} ${end}` },
      hasStdin,
    });
    this.#connect(stdin, converse);
  }

  /** Kills the command and every other process in the container. Only the first reason is recorded. */
  stop(reason: StopReason): void {
    if (this.#hasEnded) return;
    this.#stopped ??= reason;
    this.#stopping ??= this.#stopAll();
  }

  /**
   * Resolves when all processes of the command are dead, or when the container must be removed.
   *
   * The last kill runs after the client has ended, because an earlier kill misses a command that is still being started.
   */
  async finish(): Promise<FinishedCommand> {
    const { exitCode } = await this.#running.ended;
    this.#hasEnded = true;
    const isStopped = await this.#stopping;
    const stderr = this.#stderr.bytes();
    const marked = readMarks(stderr, this.#marks);
    // The wrapper exits with the code that it reports. If the two differ, another process forged the mark.
    const isHonest = exitCode === (marked.ending === "cwd" ? 0 : marked.ending);
    const ending = isHonest ? marked.ending : undefined;
    const isKept = this.#keep && ending !== undefined && isStopped === undefined;
    // If the command never began, the container is unusable, and a kill could hang in a paused container.
    const canKill = isStopped ?? marked.begun;
    const isClean = isKept || (canKill && (await this.#container.killAll()));
    return {
      ...marked,
      ending,
      stdout: this.#stdout,
      engineSaid: marked.begun ? "" : stderr.toString("utf8").slice(0, 4_000),
      clientExitCode: exitCode,
      isStderrCut: this.#stderr.isCut,
      stopped: this.#stopped,
      isContainerGood: isClean,
    };
  }

  #connect(input: string | Uint8Array | undefined, converse: CommandRequest["converse"]): void {
    const { stdin, stdout, stderr } = this.#running;
    // A command may exit before it has read all of its input.
    stdin?.on("error", () => {});
    const hear = stdin && converse?.(stdin);
    let recent = "";
    stderr.on("data", (chunk: Buffer) => {
      this.#stderr.add(chunk);
      if (hear === undefined) return;
      recent = (recent + chunk.toString("latin1")).slice(-RECENT_CHARACTERS);
      // The command has ended, and the wrapper is waiting for end of file on its stdin.
      if (recent.includes(this.#marks.end)) stdin?.end();
    });
    stdout.on("data", (chunk: Buffer) => (hear ? hear(chunk) : this.#stdout.add(chunk)));
    if (hear === undefined) stdin?.end(input);
  }

  async #stopAll(): Promise<boolean> {
    for (let time = 0; time < MAX_STOPS; time++) {
      if (!(await this.#container.killAll())) break;
      if (await this.#endsWithin(NOTICE_MS / (MAX_STOPS - time))) return true;
    }
    // Removing the container ends processes that cannot be killed.
    await this.#container.remove().catch(() => {});
    if (!(await this.#endsWithin(NOTICE_MS))) this.#running.abandon();
    return false;
  }

  async #endsWithin(delayMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), delayMs);
    });
    const isEnded = await Promise.race([this.#running.ended.then(() => true), late]);
    clearTimeout(timer);
    return isEnded;
  }
}
