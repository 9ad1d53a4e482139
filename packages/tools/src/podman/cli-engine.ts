import { spawn, spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import type {
  ContainerEngine,
  ContainerSpec,
  EngineReport,
  ExecRequest,
  ListedContainer,
  RunningExec,
} from "./container-engine.js";
import { PodmanError } from "./podman-error.js";
import { readEngineInfo } from "./read-engine-info.js";
import { runArguments } from "./run-arguments.js";
import { startError } from "./start-error.js";

export interface CliEngineOptions {
  /** The program: a name or an absolute path. @default "podman" */
  readonly command?: string | undefined;
  /** A connection from `podman system connection list`, or a Docker context. @default the engine's own default */
  readonly connection?: string | undefined;
}

/** Long enough for a busy machine. A hanging engine must not block its caller forever. */
const CALL_TIMEOUT_MS = 120_000;
const MAX_TRIES = 4;
const PAUSE_MS = 250;
/** Working directory for calls that start nothing: the caller's own may be deleted or unreadable for the engine's user. */
const ANYWHERE = "/";
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** Drives an engine through its command line: Podman, or a compatible one such as Docker. */
export class CliEngine implements ContainerEngine {
  readonly name: string;
  readonly #command: string;
  readonly #before: readonly string[];

  constructor({ command = "podman", connection }: CliEngineOptions = {}) {
    this.#command = command;
    this.name = command.slice(command.lastIndexOf("/") + 1);
    const option = this.name.includes("docker") ? "--context" : "--connection";
    this.#before = connection === undefined ? [] : [`${option}=${connection}`];
  }

  async inspect(image: string): Promise<EngineReport> {
    const [info, found] = await Promise.all([
      this.#call("info", "--format={{json .}}"),
      // Podman and Docker share this syntax. Only the exit code is used.
      this.#call("image", "inspect", "--format=ok", "--", image),
    ]);
    if (info.missing)
      throw new PodmanError("ENGINE_MISSING", this.name, "it is not installed on this machine");
    if (info.exitCode !== 0)
      throw new PodmanError("ENGINE_UNUSABLE", this.name, "it is installed but does not work", {
        details: info.stderr,
      });
    return { ...readEngineInfo(info.stdout, this.name), hasImage: found.exitCode === 0 };
  }

  async start(spec: ContainerSpec, report: EngineReport): Promise<string> {
    const result = await this.#callIn(spec.clientDirectory, "run", ...runArguments(spec, report));
    const id = result.stdout.trim().split("\n").at(-1) ?? "";
    if (result.exitCode === 0 && /^[0-9a-f]{12,64}$/.test(id)) return id;
    // A container that was created but failed to start still exists.
    await this.remove([spec.name]);
    throw startError(result.stderr, spec, this.name);
  }

  exec(id: string, request: ExecRequest): RunningExec {
    const { argv, env, user, hasStdin, clientDirectory, isBackground = false } = request;
    const args = [
      ...this.#before,
      "exec",
      `--user=${user}`,
      ...(hasStdin ? ["--interactive"] : []),
      ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
      id,
      ...argv,
    ];
    // `spawn`, because execa's overhead is a tenth of the time of a small command.
    const client = spawn(this.#command, args, {
      cwd: clientDirectory,
      stdio: [hasStdin ? "pipe" : "ignore", "pipe", "pipe"],
      // In its own process group, so that a Ctrl-C for this process does not end it.
      detached: isBackground,
    });
    const { stdin, stdout, stderr } = client;
    if (stdout === null || stderr === null)
      throw new PodmanError("ENGINE_UNUSABLE", this.name, "its client has no stdout or stderr");
    if (isBackground) for (const handle of [client, ...client.stdio]) unref(handle);
    const ended = new Promise<{ exitCode: number | undefined }>((resolve) => {
      client.on("error", () => resolve({ exitCode: undefined }));
      client.on("close", (exitCode) => resolve({ exitCode: exitCode ?? undefined }));
    });
    return {
      ...{ stdin: stdin ?? undefined, stdout, stderr, ended },
      abandon: () => void client.kill("SIGKILL"),
    };
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { exitCode, stderr } = await this.#callAgain(...removal(ids));
    if (exitCode === 0 || /no such container|no container with/i.test(stderr)) return;
    throw new PodmanError("ENGINE_UNUSABLE", this.name, "it cannot remove containers", {
      details: stderr,
    });
  }

  removeNow(ids: readonly string[]): void {
    if (ids.length === 0) return;
    const args = [...this.#before, ...removal(ids)];
    spawnSync(this.#command, args, { cwd: ANYWHERE, stdio: "ignore", timeout: 30_000 });
  }

  async list(label: string): Promise<readonly ListedContainer[]> {
    const found = await this.#callAgain(
      "ps",
      "--all",
      "--quiet",
      "--no-trunc",
      `--filter=label=${label}`,
    );
    if (found.exitCode !== 0)
      throw new PodmanError("ENGINE_UNUSABLE", this.name, "it cannot list the containers", {
        details: found.stderr,
      });
    const ids = found.stdout.split("\n").filter((id) => id !== "");
    if (ids.length === 0) return [];
    const format = `--format={{.Id}}\t{{index .Config.Labels "${label}"}}`;
    // Exits with an error if a container was removed in the meantime, but still prints the others. So ignore the exit code.
    const { stdout } = await this.#call("container", "inspect", format, "--", ...ids);
    return stdout
      .split("\n")
      .map((line) => line.split("\t"))
      .filter(([id = ""]) => ids.includes(id))
      .map(([id = "", value = ""]) => ({ id, labels: { [label]: value } }));
  }

  /** Retries, because a valid call can fail while other processes change containers. */
  async #callAgain(...args: readonly string[]) {
    for (let time = 1; ; time++) {
      const result = await this.#call(...args);
      if (result.exitCode === 0 || result.missing || time === MAX_TRIES) return result;
      await sleep(PAUSE_MS * time);
    }
  }

  async #call(...args: readonly string[]) {
    return await this.#callIn(ANYWHERE, ...args);
  }

  async #callIn(cwd: string, ...args: readonly string[]) {
    const result = await execa(this.#command, [...this.#before, ...args], {
      cwd,
      stdin: "ignore",
      reject: false,
      timeout: CALL_TIMEOUT_MS,
      killSignal: "SIGKILL",
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    const { exitCode, stdout, stderr } = result;
    return { exitCode, stdout, stderr, missing: result.code === "ENOENT" };
  }
}

/** Lets this process exit while the handle is open. */
function unref(handle: object | null | undefined): void {
  if (handle && "unref" in handle && typeof handle.unref === "function") handle.unref();
}

function removal(ids: readonly string[]): string[] {
  return ["rm", "--force", "--volumes", "--", ...ids];
}
