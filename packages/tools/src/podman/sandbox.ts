import type { DirectChanges } from "../files/record-command.js";
import { decodeOutput } from "./captured-output.js";
import {
  type CommandRequest,
  CommandRun,
  type FinishedCommand,
  type StopReason,
} from "./command-run.js";
import type { BindMount, EngineReport } from "./container-engine.js";
import { DiskWatch, isDiskFull, isOver } from "./disk-watch.js";
import { keepForExit, releaseFromExit } from "./exit-cleanup.js";
import type { ContainerUser, Overlay } from "./overlay.js";
import type { PodmanConfig } from "./podman-config.js";
import { PodmanError } from "./podman-error.js";
import type { ContainerFacts } from "./probe-container.js";
import type { ResolvedConfig } from "./resolve-config.js";
import { SandboxContainer } from "./sandbox-container.js";
import { compareScans, type OverlayScan, scanOverlay } from "./scan-overlay.js";

/** 128 + SIGKILL. */
const KILLED = 137;

export interface SandboxOptions {
  readonly config: ResolvedConfig;
  readonly report: EngineReport;
  readonly overlay: Overlay;
  readonly user: ContainerUser;
  readonly mounts: readonly BindMount[];
  readonly onProgress: PodmanConfig["onProgress"];
}

export interface RunOptions extends Omit<CommandRequest, "maxOutputBytes" | "keepBackground"> {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** @default the value in the configuration */
  readonly keepBackground?: boolean | undefined;
}

export interface CommandResult extends DirectChanges {
  /** `undefined` if the command was killed before its exit code was reported. */
  readonly exitCode: number | undefined;
  /** Whether the directory to run it in existed. */
  readonly hasDirectory: boolean;
  readonly stopped: StopReason | undefined;
  /** Whether the container was removed too. The next command gets a new one. */
  readonly isContainerLost: boolean;
  /** Whether the workspace exceeds its disk or file limit. */
  readonly isOverDisk: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether bytes that are not UTF-8 were replaced. */
  readonly lossy: boolean;
  /** Whether output was dropped because it exceeded the limit. */
  readonly isCut: boolean;
  readonly durationMs: number;
}

/**
 * A workspace and its container. Runs one command at a time.
 *
 * The container is created for the first command and reused. If it dies, the next command gets a new one.
 */
export class Sandbox {
  readonly #options: SandboxOptions;
  #container: SandboxContainer | undefined;
  #facts: ContainerFacts | undefined;
  #current: CommandRun | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #containers = 0;

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  /** The check results of the last container; `undefined` before the first one. */
  get facts(): ContainerFacts | undefined {
    return this.#facts;
  }

  /** Runs a command after all earlier ones have ended. Rejects with a `PodmanError`, or when the signal aborts. */
  async run(options: RunOptions): Promise<CommandResult> {
    const turn = this.#last.then(() => this.#runNow(options));
    this.#last = turn.catch(() => {});
    return await turn;
  }

  /**
   * Kills the running command and all background processes, and then runs `change`, which restores files.
   * The next command waits for it, so no process in the container can write during the change.
   */
  async whileQuiet<T>(change: () => Promise<T>): Promise<T> {
    this.#current?.stop("abort");
    const turn = this.#last.then(async () => {
      if (this.#container && !(await this.#container.killAll())) await this.#drop();
      return await change();
    });
    this.#last = turn.catch(() => {});
    return await turn;
  }

  /** Kills the running command and removes the container. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#current?.stop("abort");
    await this.#last;
    await this.#drop();
  }

  async #runNow(options: RunOptions): Promise<CommandResult> {
    const { signal, timeoutMs } = options;
    signal.throwIfAborted();
    this.#requireOpen();
    await this.#requireSpace();
    // Retry once if the container was already dead. A command that has begun is never run twice.
    for (let time = 0; ; time++) {
      const container = await this.#ready();
      const before = await this.#scan();
      signal.throwIfAborted();
      // `close` may have been called during the container start or the scan.
      this.#requireOpen();
      const startedAtMs = performance.now();
      const finished = await this.#perform(container, options, timeoutMs);
      const durationMs = performance.now() - startedAtMs;
      if (!finished.isContainerGood) await this.#drop();
      signal.throwIfAborted();
      if (finished.begun || finished.stopped !== undefined)
        return await this.#describe(finished, before, durationMs);
      if (time > 0 || !isRepeatable(finished))
        throw new PodmanError("START_FAILED", "container", "the engine cannot run commands in it", {
          details: finished.engineSaid,
        });
    }
  }

  async #perform(
    container: SandboxContainer,
    options: RunOptions,
    timeoutMs: number,
  ): Promise<FinishedCommand> {
    const { config, overlay } = this.#options;
    const run = new CommandRun(container, {
      ...options,
      env: { ...config.env, ...options.env },
      maxOutputBytes: config.maxOutputBytes,
      keepBackground: options.keepBackground ?? config.keepBackground,
    });
    this.#current = run;
    const abort = () => run.stop("abort");
    options.signal.addEventListener("abort", abort, { once: true });
    if (options.signal.aborted) abort();
    const timer = setTimeout(() => run.stop("time"), timeoutMs);
    const watch = new DiskWatch({
      ...config,
      directory: overlay.files,
      scan: () => this.#scan(),
      onFull: () => run.stop("disk"),
    });
    try {
      return await run.finish();
    } finally {
      clearTimeout(timer);
      options.signal.removeEventListener("abort", abort);
      this.#current = undefined;
      await watch.stop();
    }
  }

  async #describe(
    finished: FinishedCommand,
    before: OverlayScan,
    durationMs: number,
  ): Promise<CommandResult> {
    const after = await this.#scan();
    const stdout = decodeOutput(finished.stdout.bytes());
    const stderr = decodeOutput(finished.bytes);
    return {
      ...compareScans(before, after),
      exitCode: typeof finished.ending === "number" ? finished.ending : undefined,
      hasDirectory: finished.ending !== "cwd",
      stopped: finished.stopped,
      isContainerLost: !finished.isContainerGood,
      isOverDisk: finished.stopped === "disk" || isOver(after, this.#options.config),
      stdout: stdout.text,
      stderr: stderr.text,
      lossy: stdout.lossy || stderr.lossy,
      isCut: finished.stdout.isCut || finished.isStderrCut,
      durationMs,
    };
  }

  async #ready(): Promise<SandboxContainer> {
    if (this.#container !== undefined) return this.#container;
    const { overlay } = this.#options;
    const name = `${overlay.name}-${++this.#containers}`;
    // Register the name before the container exists, because the process may exit at any moment.
    keepForExit(overlay, this.#options.config.engine, name);
    this.#container = await SandboxContainer.start({ ...this.#options, name });
    this.#facts = this.#container.facts;
    return this.#container;
  }

  async #drop(): Promise<void> {
    const container = this.#container;
    this.#container = undefined;
    await container?.remove();
    releaseFromExit(this.#options.overlay, `${this.#options.overlay.name}-${this.#containers}`);
  }

  async #scan(): Promise<OverlayScan> {
    return await scanOverlay(this.#options.overlay.files, this.#options.user);
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new PodmanError("CLOSED", "sandbox", "it is closed");
  }

  async #requireSpace(): Promise<void> {
    if (!(await isDiskFull(this.#options.overlay.files))) return;
    throw new PodmanError(
      "NO_SPACE",
      "sandbox",
      "the disk of the host is nearly full, so nothing was run",
    );
  }
}

/**
 * Whether the command certainly did not run: the engine found no usable container, or the kernel killed our shell
 * before the begin mark, for example because files in `/tmp` use up the container's memory.
 */
function isRepeatable({ engineSaid, clientExitCode }: FinishedCommand): boolean {
  if (engineSaid === "") return clientExitCode === KILLED;
  return /no such container|no container with|can only create exec sessions|state improper|not running|paused/i.test(
    engineSaid,
  );
}
