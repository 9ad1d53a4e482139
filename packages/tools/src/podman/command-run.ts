import { CapturedOutput, OutputRoom } from "./captured-output.js";
import { type MarkedOutput, newMarks, readMarks } from "./command-marks.js";
import type { RunningExec } from "./container-engine.js";
import { MARKS_VARIABLE, WRAPPER } from "./container-programs.js";
import type { SandboxContainer } from "./sandbox-container.js";

/** Why a command was killed. */
export type StopReason = "time" | "output" | "disk" | "abort";

export interface CommandRequest {
  readonly argv: readonly string[];
  /** Absolute, in the container. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** @default empty */
  readonly stdin?: string | Uint8Array | undefined;
  readonly maxOutputBytes: number;
  readonly keepBackground: boolean;
  /** Talks with the command: gets its standard input and its output, which is then not captured. @default none */
  readonly converse?: ((stdin: NodeJS.WritableStream) => (chunk: Buffer) => void) | undefined;
}

export interface FinishedCommand extends MarkedOutput {
  readonly stdout: CapturedOutput;
  /** The engine's own words, when the command was never started. */
  readonly engineSaid: string;
  readonly clientExitCode: number | undefined;
  readonly isStderrCut: boolean;
  readonly stopped: StopReason | undefined;
  /** Whether the container can be used again. Everything in it is dead, unless background processes are kept. */
  readonly isContainerGood: boolean;
}

/** How long a client may need to notice that its command is dead. */
const NOTICE_MS = 15_000;
/** More than the mark at the end has. */
const RECENT_CHARACTERS = 200;
/** A command that is only just being started is missed by a first kill. */
const MAX_STOPS = 4;

/** One command in one container, from its start until everything it started is dead. */
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

  /** Ends the command and everything else in the container. The first reason counts. */
  stop(reason: StopReason): void {
    if (this.#hasEnded) return;
    this.#stopped ??= reason;
    this.#stopping ??= this.#stopAll();
  }

  /**
   * Resolves when nothing of the command is left, or when the container must go.
   *
   * The last kill comes after the client has ended: a kill before that misses a command that is still being started.
   */
  async finish(): Promise<FinishedCommand> {
    const { exitCode } = await this.#running.ended;
    this.#hasEnded = true;
    const isStopped = await this.#stopping;
    const stderr = this.#stderr.bytes();
    const marked = readMarks(stderr, this.#marks);
    // The wrapper exits with the code that it reports, so a mark that another process wrote is found out.
    const isHonest = exitCode === (marked.ending === "cwd" ? 0 : marked.ending);
    const ending = isHonest ? marked.ending : undefined;
    const isKept = this.#keep && ending !== undefined && isStopped === undefined;
    // Not after a command that never began: its container is of no use, and may be paused and not answer.
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
    // A command may end without having read all of it.
    stdin?.on("error", () => {});
    const hear = stdin && converse?.(stdin);
    let recent = "";
    stderr.on("data", (chunk: Buffer) => {
      this.#stderr.add(chunk);
      if (hear === undefined) return;
      recent = (recent + chunk.toString("latin1")).slice(-RECENT_CHARACTERS);
      // The command has ended, and the wrapper waits for the end of its input.
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
    // What cannot be killed goes with its container.
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
