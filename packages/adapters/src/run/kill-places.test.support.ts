import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  PostgresServer,
  postgresProgram,
} from "../../../store/src/servers/postgres-server.test.support.js";
import { RedisServer, redisProgram } from "../../../store/src/servers/redis-server.test.support.js";
import { bundleProgram } from "./bundle-program.test.support.js";

/** Where runs are while their processes are killed. */
export interface KillPlace extends AsyncDisposable {
  /** Empty for a place without a store. */
  readonly url: string;
  /** Kills the server and starts it again. */
  readonly restart?: () => Promise<void>;
}

/** In memory if possible: a killed process loses nothing that it has written. */
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
/** Where the clients of the stores can be resolved, which are not bundled. */
const RESOLVING = fileURLToPath(new URL("../../../store/node_modules/", import.meta.url));

const nothing = async () => {};

/** The servers that this machine has. */
export const PLACES: Readonly<Record<string, (directory: string) => Promise<KillPlace>>> = {
  directory: async () => ({ url: "", [Symbol.asyncDispose]: nothing }),
  memory: async () => ({ url: "", [Symbol.asyncDispose]: nothing }),
  SQLite: async (directory) => ({
    url: `sqlite:${join(directory, "runs.db")}`,
    [Symbol.asyncDispose]: nothing,
  }),
  ...(postgresProgram !== undefined && {
    PostgreSQL: async () => {
      const server = await PostgresServer.start();
      const restart = async () => {
        // As after a crash: no checkpoint, and the server repairs its files from its journal.
        await server.kill("SIGQUIT");
        await server.restart();
      };
      return {
        url: server.url,
        restart,
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  }),
  ...(redisProgram !== undefined && {
    Redis: async () => {
      const server = await RedisServer.start();
      const restart = async () => {
        await server.kill();
        await server.restart();
      };
      return {
        url: server.url,
        restart,
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  }),
};

export interface EndedProgram {
  /** What it printed. */
  readonly output: string;
  readonly errors: string;
  readonly isKilled: boolean;
}

/** A bundled program, and a folder for its runs. */
export class KilledProgram {
  readonly directory = mkdtempSync(join(SCRATCH, "wink-kills-"));
  readonly #bundles = mkdtempSync(join(RESOLVING, ".wink-kills-"));
  #path = "";

  async bundle(program: URL): Promise<() => void> {
    this.#path = await bundleProgram(program, this.#bundles, ["libsql", "pg", "redis"]);
    return () => {
      for (const each of [this.directory, this.#bundles])
        rmSync(each, { recursive: true, force: true });
    };
  }

  /** Runs the program until it ends. @param duringIt runs at the same time */
  async run(
    args: readonly string[],
    duringIt: (child: ChildProcess) => Promise<void> = nothing,
  ): Promise<EndedProgram> {
    const child = spawn(process.execPath, [this.#path, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [output, errors] = ["", ""];
    child.stdout.on("data", (data) => {
      output += data;
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    const [[, signal]] = await Promise.all([once(child, "close"), duringIt(child)]);
    return { output: output.trim(), errors, isKilled: signal === "SIGKILL" };
  }
}

/** A generator of random whole numbers below a limit. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
