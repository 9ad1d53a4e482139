import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "@wink/store/url";
import { beforeAll, expect, it } from "vitest";
import {
  PostgresServer,
  postgresProgram,
} from "../../../store/src/servers/postgres-server.test.support.js";
import { RedisServer, redisProgram } from "../../../store/src/servers/redis-server.test.support.js";
import { bundleProgram } from "./bundle-program.test.support.js";
import { readRun } from "./read-run.js";
import { requestsOf, resumePlace } from "./resume-agent.test.support.js";

/** The promise is 100 kills for each store: WINK_RESUME_KILLS=100. By default, only SQLite and few kills. */
const KILLS = Number(process.env["WINK_RESUME_KILLS"] ?? 3);
const IS_LONG = process.env["WINK_RESUME_KILLS"] !== undefined;
const SEED = Number(process.env["WINK_SEED"] ?? Date.now() % 1_000_000);
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
/** Where the clients of the stores can be resolved, which are not bundled. */
const RESOLVING = fileURLToPath(new URL("../../../store/node_modules/", import.meta.url));

let directory: string;
let program: string;

beforeAll(async () => {
  directory = mkdtempSync(join(SCRATCH, "wink-resume-store-"));
  const bundles = mkdtempSync(join(RESOLVING, ".resume-store-"));
  program = await bundleProgram("resume-store", bundles, ["libsql", "pg", "redis"]);
  return () => {
    for (const each of [directory, bundles]) rmSync(each, { recursive: true, force: true });
  };
});

let state = SEED;
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

async function start(name: string, url: string, afterMs: number) {
  const args = [program, join(directory, name), url, `${afterMs}`];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    errors += data;
  });
  const [, signal] = await once(child, "close");
  expect(errors, `${name} after ${afterMs} ms, seed ${SEED}`).toBe("");
  const [how = "", ms = "0"] = output.trim().split(" ");
  return { how, isKilled: signal === "SIGKILL", ms: Number(ms) };
}

interface Server {
  readonly url: string;
  close(): Promise<void>;
}

const SERVERS: Readonly<Record<string, () => Promise<Server>>> = {
  SQLite: async () => ({ url: `sqlite:${join(directory, "runs.db")}`, close: async () => {} }),
  PostgreSQL: async () => {
    const server = await PostgresServer.start();
    return { url: server.url, close: () => server[Symbol.asyncDispose]() };
  },
  Redis: async () => {
    const server = await RedisServer.start();
    return { url: server.url, close: () => server[Symbol.asyncDispose]() };
  },
};

const present: Readonly<Record<string, boolean>> = {
  SQLite: true,
  PostgreSQL: IS_LONG && postgresProgram !== undefined,
  Redis: IS_LONG && redisProgram !== undefined,
};

it.for(Object.keys(SERVERS).filter((name) => present[name]))(
  "a run in %s that is killed at random moments and continued by other processes has the result and the requests of an undisturbed run (RUN-15, RUN-16)",
  { timeout: 180_000 + KILLS * 10_000 },
  async (name) => {
    const server = await SERVERS[name]?.();
    if (server === undefined) throw new Error(`no ${name}`);
    const { url } = server;
    try {
      const expected = resumePlace(join(directory, `${name}-reference`));
      let longestMs = 0;
      for (let how = ""; how !== "done"; ) {
        const ended = await start(`${name}-reference`, url, 0);
        how = ended.how;
        longestMs = Math.max(longestMs, ended.ms);
      }
      let kills = 0;
      for (let round = 0; kills < KILLS; round++) {
        const place = resumePlace(join(directory, `${name}-${round}`));
        let killsHere = 0;
        for (let how = ""; how !== "done"; ) {
          const afterMs = kills < KILLS ? 1 + random(Math.ceil(longestMs)) : 0;
          const ended = await start(`${name}-${round}`, url, afterMs);
          how = ended.how;
          if (ended.isKilled) {
            kills++;
            killsHere++;
          }
        }
        const where = `${name}-${round}, seed ${SEED}`;
        expect(requestsOf(place), where).toEqual(requestsOf(expected));
        const result = JSON.parse(readFileSync(place.result, "utf8"));
        expect(result, where).toEqual(JSON.parse(readFileSync(expected.result, "utf8")));
        const asked = readFileSync(place.requests, "utf8").split("\n").length - 1;
        expect(asked - requestsOf(place).length, where).toBeLessThanOrEqual(killsHere);
        await using store = await openStore(url);
        using run = await readRun({ store, id: place.run });
        const turns = run.turns.map((turn) => turn.answer !== undefined);
        expect(turns, where).not.toContain(false);
        const answers = run.transcript.filter(({ kind }) => kind === "turn");
        expect(answers, where).toHaveLength(run.turns.length);
      }
    } finally {
      await server.close();
    }
  },
);
