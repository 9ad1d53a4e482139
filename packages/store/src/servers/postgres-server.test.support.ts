import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "./free-port.test.support.js";
import { findProgram } from "./required.test.support.js";

const call = promisify(execFile);

export const postgresProgram: string | undefined = findProgram("postgres", debianFolders());

function debianFolders(): readonly string[] {
  try {
    const versions = readdirSync("/usr/lib/postgresql").sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => `/usr/lib/postgresql/${version}/bin`);
  } catch {
    return [];
  }
}

const MAX_ATTEMPTS = 100;

/** A PostgreSQL server of a test, in its own directory. It refuses to run as root, so root becomes `postgres`. */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly directory: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, directory: string, settings: readonly string[]) {
    this.port = port;
    this.directory = directory;
    this.#settings = settings;
  }

  static async start(settings: readonly string[] = []): Promise<PostgresServer> {
    const directory = await mkdtemp(path.join(tmpdir(), "wink-postgres-"));
    if (process.getuid?.() === 0) {
      await chmod(directory, 0o711);
      await call("install", ["-d", "-o", "postgres", "-m", "700", path.join(directory, "data")]);
    }
    const server = new PostgresServer(await freePort(), directory, settings);
    const flags = ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"];
    const [program, args] = asUser("initdb", ["-D", server.#data, ...flags]);
    await call(program, args);
    await server.restart();
    return server;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  get #data(): string {
    return path.join(this.directory, "data");
  }

  async restart(): Promise<void> {
    const settings = ["listen_addresses=127.0.0.1", "max_connections=60", ...this.#settings];
    const [program, args] = asUser("postgres", [
      ...["-D", this.#data, "-p", String(this.port), "-k", this.#data],
      ...settings.flatMap((setting) => ["-c", setting]),
    ]);
    // It ends while a process of a killed server still uses the shared memory.
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const child = spawn(program, args, { stdio: "ignore" });
      this.#process = child;
      if (await this.#answers(child)) return;
      await sleep(100);
    }
    throw new Error(`PostgreSQL ended ${MAX_ATTEMPTS} times while it started.`);
  }

  /** Waits until the server answers or ends. It accepts connections before it has repaired its files, so a statement must succeed. */
  async #answers(child: ChildProcess): Promise<boolean> {
    while (!hasEnded(child)) {
      const client = new pg.Client({
        connectionString: this.url,
        connectionTimeoutMillis: 5_000,
      });
      client.on("error", () => {});
      try {
        await client.connect();
        await client.query("SELECT 1");
        return true;
      } catch {
        await sleep(50);
      } finally {
        await client.end().catch(() => {});
      }
    }
    return false;
  }

  async kill(signal: "SIGKILL" | "SIGQUIT" = "SIGKILL"): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || hasEnded(child)) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill("SIGQUIT");
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** A process that a signal ended has no exit code. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function asUser(program: string, args: readonly string[]): readonly [string, string[]] {
  // Tests ask for the program first.
  const found = path.join(path.dirname(postgresProgram as string), program);
  if (process.getuid?.() !== 0) return [found, [...args]];
  // exec, so that a signal reaches the server itself.
  return [
    "setpriv",
    ["--reuid=postgres", "--regid=postgres", "--clear-groups", "--", found, ...args],
  ];
}
