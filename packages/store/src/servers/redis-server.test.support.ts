import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { accepting, freePort } from "./free-port.test.support.js";
import { findProgram } from "./required.test.support.js";

export const valkeyProgram: string | undefined = findProgram("valkey-server");
export const redisProgram: string | undefined = findProgram("redis-server") ?? valkeyProgram;

/** A Redis server of a test, in its own directory. */
export class RedisServer implements AsyncDisposable {
  readonly port: number;
  readonly directory: string;
  readonly #settings: readonly string[];
  readonly #program: string;
  #process: ChildProcess | undefined;

  private constructor(
    port: number,
    directory: string,
    settings: readonly string[],
    program: string,
  ) {
    this.port = port;
    this.directory = directory;
    this.#settings = settings;
    this.#program = program;
  }

  static async start(
    settings: readonly string[] = DURABLE,
    // Tests ask for the program first.
    program: string = redisProgram as string,
  ): Promise<RedisServer> {
    const directory = await mkdtemp(path.join(tmpdir(), "wink-redis-"));
    const server = new RedisServer(await freePort(), directory, settings, program);
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async restart(): Promise<void> {
    const own = ["--port", String(this.port), "--bind", "127.0.0.1", "--dir", this.directory];
    const child = spawn(this.#program, [...own, "--save", "", ...this.#settings], {
      stdio: "ignore",
    });
    this.#process = child;
    await accepting(this.port, () => child.exitCode === null && child.signalCode === null);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}

const DURABLE = ["--appendonly", "yes", "--appendfsync", "always"];
