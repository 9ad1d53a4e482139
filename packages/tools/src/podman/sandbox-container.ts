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
import { INIT, KILL_ALL, PROBE } from "./container-programs.js";
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
  /** Beside the workspace itself. */
  readonly mounts: readonly BindMount[];
  /** Its name, which no other container has. */
  readonly name: string;
  readonly onProgress: ((progress: SandboxProgress) => void) | undefined;
}

/** How often everything is killed before the container itself has to go. */
const MOST_KILLS = 5;
/** PID 1, its `sleep`, and whoever asks. */
const LEFT_AFTER_KILL = 3;
const PATIENCE_MS = 60_000;
const TMP_BYTES = 256 * 1024 * 1024;

/** A container that runs, was looked at from inside, and is as closed as it must be. */
export class SandboxContainer {
  readonly id: string;
  readonly #engine: ContainerEngine;
  readonly #clientDirectory: string;
  #facts: ContainerFacts = { hasPython: false, hasGit: false, unenforced: [] };

  private constructor(id: string, engine: ContainerEngine, clientDirectory: string) {
    this.id = id;
    this.#engine = engine;
    this.#clientDirectory = clientDirectory;
  }

  /** Rejects with a `PodmanError`, and leaves no container behind, when it is not what it should be. */
  static async start(options: StartOptions): Promise<SandboxContainer> {
    const { config, report, onProgress } = options;
    const startedAtMs = performance.now();
    const tell = (stage: "starting" | "probing" | "ready") =>
      onProgress?.({ stage, elapsedMs: performance.now() - startedAtMs });
    tell("starting");
    const id = await config.engine.start(specOf(options), report);
    const container = new SandboxContainer(id, config.engine, options.overlay.directory);
    try {
      tell("probing");
      await container.#probe(options);
    } catch (error) {
      await container.remove();
      throw error;
    }
    tell("ready");
    return container;
  }

  /** What was found when it was looked at. */
  get facts(): ContainerFacts {
    return this.#facts;
  }

  exec(request: Omit<ExecRequest, "clientDirectory">): RunningExec {
    return this.#engine.exec(this.id, { ...request, clientDirectory: this.#clientDirectory });
  }

  /** Ends everything that runs in it but PID 1. Answers whether that is certain. */
  async killAll(): Promise<boolean> {
    for (let time = 0; time < MOST_KILLS; time++) {
      const { exitCode, stdout } = await this.#ask(["sh", "-c", KILL_ALL]);
      if (exitCode !== 0) return false;
      const left = Number(/left (\d+)/.exec(stdout)?.[1]);
      // More can be left for a moment: what is dead but not yet buried.
      if (left <= LEFT_AFTER_KILL) return true;
    }
    return false;
  }

  async remove(): Promise<void> {
    await this.#engine.remove([this.id]);
  }

  async #probe({ config, overlay, report }: StartOptions): Promise<void> {
    // A file that only this workspace has, under a name that no tool shows.
    const sign = `.wink-tmp-probe-${this.id.slice(0, 12)}`;
    writeFileSync(join(overlay.files, sign), "", { mode: 0o600, flag: "wx" });
    try {
      const argv = ["sh", "-c", PROBE, "probe", config.workspaceRoot, sign];
      const { stdout } = await this.#ask(argv);
      this.#facts = judgeProbe(stdout, config, report);
    } finally {
      removeSign(join(overlay.files, sign));
    }
  }

  /** Runs something small of our own. */
  async #ask(argv: readonly string[]): Promise<{ exitCode: number | undefined; stdout: string }> {
    const running = this.exec({ argv, env: {}, hasStdin: false });
    const timer = setTimeout(() => running.abandon(), PATIENCE_MS);
    let stdout = "";
    running.stdout.on("data", (chunk: Buffer) => {
      if (stdout.length < 16_000) stdout += chunk.toString("latin1");
    });
    running.stderr.resume();
    const { exitCode } = await running.ended;
    clearTimeout(timer);
    return { exitCode, stdout };
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

function specOf({ config, report, overlay, user, mounts, name }: StartOptions): ContainerSpec {
  const { workspaceRoot } = config;
  const workspace = { source: overlay.files, target: workspaceRoot, readOnly: false };
  if (/[,:"\n]/.test(overlay.files))
    throw new PodmanError("INVALID_CONFIG", "overlayRoot must hold no comma, colon or quote");
  const profile = closedProfile(report.seccompProfilePath);
  return {
    name,
    clientDirectory: overlay.directory,
    image: config.image,
    command: ["sh", "-c", INIT, "init", String(Math.ceil(config.maxLifetimeMs / 1_000))],
    labels: { [OWNER_LABEL]: processIdentity() },
    env: { ...CONTAINER_ENV, HOME: "/tmp", ...config.env },
    mounts: [workspace, ...mounts],
    workdir: workspaceRoot,
    user: `${user.uid}:${user.gid}`,
    keepId: report.kind === "podman" && report.rootless,
    seccompProfile: profile === undefined ? undefined : overlay.keepProfile(profile),
    networkEnabled: config.networkEnabled,
    cpuLimit: config.cpuLimit,
    memoryLimitBytes: config.memoryLimitBytes,
    pidsLimit: config.pidsLimit,
    maxFileBytes: config.diskLimitBytes,
    tmpBytes: Math.min(TMP_BYTES, config.memoryLimitBytes),
    // Counted for each user of the machine, so elsewhere the cgroup counts and this must not be in the way.
    maxUserProcesses: report.rootless ? config.pidsLimit : 32_768,
  };
}

/** The same everywhere, so that nothing tells one machine from another. */
const CONTAINER_ENV = {
  LANG: "C.UTF-8",
  TZ: "UTC",
  // The workspace is its own, whoever the files belong to by number; and looking writes nothing.
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
  GIT_OPTIONAL_LOCKS: "0",
  PYTHONDONTWRITEBYTECODE: "1",
};
