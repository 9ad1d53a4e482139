import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  BindMount,
  ContainerEngine,
  ContainerSpec,
  EngineReport,
  ExecRequest,
  RunningExec,
} from "./container-engine.js";
import { ContainerGuard } from "./container-guard.js";
import { CLOSED_SHELL, GUARD, GUARD_USER, INIT, PROBE, SHELL } from "./container-programs.js";
import type { ContainerUser, Overlay } from "./overlay.js";
import type { SandboxProgress } from "./podman-config.js";
import { PodmanError } from "./podman-error.js";
import { type ContainerFacts, judgeProbe } from "./probe-container.js";
import { processIdentity } from "./process-identity.js";
import type { ResolvedConfig } from "./resolve-config.js";
import { closedProfile } from "./seccomp-profile.js";

/** The label that says whose a container is. */
export const OWNER_LABEL = "wink.owner";

export interface StartOptions {
  readonly config: ResolvedConfig;
  readonly report: EngineReport;
  readonly overlay: Overlay;
  readonly user: ContainerUser;
  /** Besides the workspace itself. */
  readonly mounts: readonly BindMount[];
  /** Its name, which no other container has. */
  readonly name: string;
  readonly onProgress: ((progress: SandboxProgress) => void) | undefined;
}

const PATIENCE_MS = 60_000;
const TMP_BYTES = 256 * 1024 * 1024;
/** `/tmp` and `/dev/shm` are memory, and outlast a command. Full ones must leave room for the next command. */
const TMP_SHARE = 4;

/** A running container that was inspected from inside and is as closed as promised. */
export class SandboxContainer {
  readonly id: string;
  readonly #engine: ContainerEngine;
  readonly #clientDirectory: string;
  readonly #user: string;
  #guard: ContainerGuard | undefined;
  #facts: ContainerFacts = { hasPython: false, hasGit: false, unenforced: [] };
  #runningExecs = 0;
  #isClean = true;

  private constructor(id: string, { config, overlay, user }: StartOptions) {
    this.id = id;
    this.#engine = config.engine;
    this.#clientDirectory = overlay.directory;
    this.#user = `${user.uid}:${user.gid}`;
  }

  /** Rejects with a `PodmanError`, and leaves no container behind, when it is not what it should be. */
  static async start(options: StartOptions): Promise<SandboxContainer> {
    const { config, report, onProgress } = options;
    const startedAtMs = performance.now();
    const tell = (stage: "starting" | "probing" | "ready") =>
      onProgress?.({ stage, elapsedMs: performance.now() - startedAtMs });
    tell("starting");
    const id = await config.engine.start(specOf(options), report);
    const container = new SandboxContainer(id, options);
    try {
      tell("probing");
      await container.#startGuard();
      await container.#probe(options);
    } catch (error) {
      await container.remove();
      throw error;
    }
    tell("ready");
    return container;
  }

  /** What was found when it was inspected. */
  get facts(): ContainerFacts {
    return this.#facts;
  }

  /** Runs a text of ours in the closed shell, as the user of the commands. */
  exec(request: Pick<ExecRequest, "env" | "hasStdin"> & ShellText): RunningExec {
    const { text, args, ...rest } = request;
    this.#isClean = false;
    this.#runningExecs++;
    const running = this.#engine.exec(this.id, {
      ...rest,
      argv: [CLOSED_SHELL, "-c", text, "sh", ...args],
      user: this.#user,
      clientDirectory: this.#clientDirectory,
    });
    void running.ended.then(() => this.#runningExecs--);
    return running;
  }

  /**
   * Kills everything that commands started. Resolves to whether all of it is dead.
   *
   * It costs nothing when no command was run since the last kill. That is known from what this process did, and
   * never from what a command reports.
   */
  async killAll(): Promise<boolean> {
    if (this.#isClean) return true;
    // A command that the engine is still starting is missed by the kill.
    const isComplete = this.#runningExecs === 0;
    const isDead = (await this.#guard?.killAll()) ?? false;
    this.#isClean = isDead && isComplete && this.#runningExecs === 0;
    return isDead;
  }

  async remove(): Promise<void> {
    await this.#engine.remove([this.id]);
    this.#guard?.abandon();
  }

  async #startGuard(): Promise<void> {
    const running = this.#engine.exec(this.id, {
      argv: [SHELL, "-c", GUARD],
      env: {},
      user: GUARD_USER,
      hasStdin: true,
      clientDirectory: this.#clientDirectory,
      isBackground: true,
    });
    this.#guard = await ContainerGuard.start(running);
    if (this.#guard === undefined)
      throw new PodmanError("IMAGE_UNUSABLE", `The image has no ${SHELL}, sleep, cp or chmod`);
  }

  async #probe({ config, overlay, report }: StartOptions): Promise<void> {
    // A file that only this workspace has, under a name that no tool shows.
    const sign = `.wink-tmp-probe-${this.id.slice(0, 12)}`;
    writeFileSync(join(overlay.files, sign), "", { mode: 0o600, flag: "wx" });
    try {
      const output = await this.#ask({ text: PROBE, args: [config.workspaceRoot, sign] });
      this.#facts = judgeProbe(output, config, report);
    } finally {
      removeSign(join(overlay.files, sign));
    }
  }

  /** Runs a short text of ours. Resolves to its output. */
  async #ask(request: ShellText): Promise<string> {
    const running = this.exec({ ...request, env: {}, hasStdin: false });
    const timer = setTimeout(() => running.abandon(), PATIENCE_MS);
    let stdout = "";
    running.stdout.on("data", (chunk: Buffer) => {
      if (stdout.length < 16_000) stdout += chunk.toString("latin1");
    });
    running.stderr.resume();
    await running.ended;
    clearTimeout(timer);
    return stdout;
  }
}

/** Not with `rm`, which would enter a directory that the container put in its place. */
function removeSign(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The container removed it.
  }
}

/** A program of ours in the words of the shell. */
interface ShellText {
  readonly text: string;
  readonly args: readonly string[];
}

function specOf({ config, report, overlay, mounts, name }: StartOptions): ContainerSpec {
  const { workspaceRoot } = config;
  const workspace = { source: overlay.files, target: workspaceRoot, readOnly: false };
  if (/[,:"\n]/.test(overlay.files))
    throw new PodmanError("INVALID_CONFIG", "overlayRoot must hold no comma, colon or quote");
  const profile = closedProfile(report.seccompProfilePath);
  return {
    name,
    clientDirectory: overlay.directory,
    image: config.image,
    command: [SHELL, "-c", INIT, "init", String(Math.ceil(config.maxLifetimeMs / 1_000))],
    labels: { [OWNER_LABEL]: processIdentity() },
    // The configured variables are set for commands alone: an LD_PRELOAD would run in the guard too.
    env: { ...CONTAINER_ENV, HOME: "/tmp" },
    mounts: [workspace, ...mounts],
    workdir: workspaceRoot,
    user: GUARD_USER,
    keepId: report.kind === "podman" && report.rootless,
    seccompProfile: profile === undefined ? undefined : overlay.keepProfile(profile),
    networkEnabled: config.networkEnabled,
    cpuLimit: config.cpuLimit,
    memoryLimitBytes: config.memoryLimitBytes,
    pidsLimit: config.pidsLimit,
    maxFileBytes: config.diskLimitBytes,
    tmpBytes: Math.min(TMP_BYTES, Math.floor(config.memoryLimitBytes / TMP_SHARE)),
    // Counted for each user of the machine, so elsewhere the cgroup counts and this must not be in the way.
    maxUserProcesses: report.rootless ? config.pidsLimit : 32_768,
  };
}

/** The same everywhere, so that nothing tells one machine from another. */
const CONTAINER_ENV = {
  LANG: "C.UTF-8",
  TZ: "UTC",
  // Git must take the files for its own, although they may have another owner, and must write nothing to read a status.
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
  GIT_OPTIONAL_LOCKS: "0",
  PYTHONDONTWRITEBYTECODE: "1",
};
