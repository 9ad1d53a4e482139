import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processIdentity } from "@wink/filesystem/host";
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
import type { PodmanConfig } from "./podman-config.js";
import { PodmanError } from "./podman-error.js";
import { type ContainerFacts, judgeProbe } from "./probe-container.js";
import type { ResolvedConfig } from "./resolve-config.js";
import { closedProfile } from "./seccomp-profile.js";

/** The label with the identity of the process that owns a container. */
export const OWNER_LABEL = "wink.owner";

export interface StartOptions {
  readonly config: ResolvedConfig;
  readonly report: EngineReport;
  readonly overlay: Overlay;
  readonly user: ContainerUser;
  /** Additional mounts, besides the workspace. */
  readonly mounts: readonly BindMount[];
  /** A unique container name. */
  readonly name: string;
  readonly onProgress: PodmanConfig["onProgress"];
}

const PROBE_TIMEOUT_MS = 60_000;
const TMP_BYTES = 256 * 1024 * 1024;
/** `/tmp` and `/dev/shm` use the container's memory and outlive a command. Even when full they must leave memory for the next command. */
const TMP_SHARE = 4;

/** A running container whose isolation was checked from inside. */
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

  /** Rejects with a `PodmanError` and removes the container if a check fails. */
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

  /** The results of the checks. */
  get facts(): ContainerFacts {
    return this.#facts;
  }

  /** Runs one of our scripts in the closed shell, as the user of the commands. */
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
   * Kills every process that commands started. Resolves to whether all of them are dead.
   *
   * Does nothing if no command ran since the last kill. This process tracks that itself and never relies on the
   * output of a command.
   */
  async killAll(): Promise<boolean> {
    if (this.#isClean) return true;
    // The kill misses a command that the engine is still starting.
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
      throw new PodmanError("IMAGE_UNUSABLE", "image", `it has no ${SHELL}, sleep, cp or chmod`);
  }

  async #probe({ config, overlay, report }: StartOptions): Promise<void> {
    // A file that only this workspace has. No tool shows files with this prefix.
    const sign = `.wink-tmp-probe-${this.id.slice(0, 12)}`;
    writeFileSync(join(overlay.files, sign), "", { mode: 0o600, flag: "wx" });
    try {
      const output = await this.#ask({ text: PROBE, args: [config.workspaceRoot, sign] });
      this.#facts = judgeProbe(output, config, report);
    } finally {
      removeSign(join(overlay.files, sign));
    }
  }

  /** Runs a short script of ours. Resolves to its stdout. */
  async #ask(request: ShellText): Promise<string> {
    const running = this.exec({ ...request, env: {}, hasStdin: false });
    const timer = setTimeout(() => running.abandon(), PROBE_TIMEOUT_MS);
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

/** `unlink` and not a recursive `rm`, because the container could have replaced the file by a directory. */
function removeSign(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The container removed it.
  }
}

/** A shell script of ours. */
interface ShellText {
  readonly text: string;
  readonly args: readonly string[];
}

function specOf({ config, report, overlay, mounts, name }: StartOptions): ContainerSpec {
  const { workspaceRoot } = config;
  const workspace = { source: overlay.files, target: workspaceRoot, readOnly: false };
  if (/[,:"\n]/.test(overlay.files))
    throw new PodmanError(
      "INVALID_OPTION",
      "config.overlayRoot",
      "it must not contain a comma, colon or quote",
    );
  const profile = closedProfile(report.seccompProfilePath);
  return {
    name,
    clientDirectory: overlay.directory,
    image: config.image,
    command: [SHELL, "-c", INIT, "init", String(Math.ceil(config.maxLifetimeMs / 1_000))],
    labels: { [OWNER_LABEL]: processIdentity() },
    // The configured variables are set only for commands: here an LD_PRELOAD would also run in the guard.
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
    // The kernel counts `nproc` per user of the whole machine. As root the cgroup limits processes, so this one is high.
    maxUserProcesses: report.rootless ? config.pidsLimit : 32_768,
  };
}

/** Constant, so that a command runs in the same way on every machine. */
const CONTAINER_ENV = {
  LANG: "C.UTF-8",
  TZ: "UTC",
  // Git must accept files of another owner, and `git status` must not write to the repository.
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
  GIT_OPTIONAL_LOCKS: "0",
  PYTHONDONTWRITEBYTECODE: "1",
};
