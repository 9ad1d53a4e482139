import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Store } from "@wink/store";
import { postgresStore } from "@wink/store/postgres";
import { redisStore } from "@wink/store/redis";
import { sqliteStore } from "@wink/store/sqlite";
import { describe, expect, it } from "vitest";
import {
  PostgresServer,
  postgresProgram,
} from "../../../store/src/servers/postgres-server.test.support.js";
import { RedisServer, redisProgram } from "../../../store/src/servers/redis-server.test.support.js";
import { findProgram, isAvailable } from "../../../store/src/servers/required.test.support.js";
import { BullmqRequestQueue } from "../queues/bullmq-request-queue.js";
import { PostgresRequestQueue } from "../queues/postgres-request-queue.js";
import { SqliteRequestQueue } from "../queues/sqlite-request-queue.js";
import type { RequestQueue } from "../worker/request-queue.js";

const REQUESTS = Number(
  process.env["WINK_WORKER_REQUESTS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 16 : 6),
);
const TURNS = 3;
const LEASE_MS = 1_000;
const KINDS = ["frozen", "killed", "stopped"] as const;
/** The long form is for all engines. */
const IS_LONG = process.env["WINK_WORKER_REQUESTS"] !== undefined;
const PROGRAM = fileURLToPath(new URL("../../dist/group/worker.test-program.js", import.meta.url));

interface Engine {
  readonly name: "sqlite" | "postgres" | "bullmq";
  readonly location: string;
  readonly store: Store;
  readonly queues: readonly RequestQueue<number>[];
}

async function withEngine(name: Engine["name"], body: (engine: Engine) => Promise<void>) {
  await using server = await startServer(name);
  const { location } = server;
  const open = (queue: string): RequestQueue<number> => {
    if (name === "sqlite") return new SqliteRequestQueue(location, { name: queue });
    if (name === "postgres") return new PostgresRequestQueue(location, { name: queue });
    return new BullmqRequestQueue(location, { name: queue, leaseMs: LEASE_MS });
  };
  const queues = [open("left"), open("right")];
  const store =
    name === "sqlite"
      ? sqliteStore(location)
      : name === "postgres"
        ? postgresStore(location)
        : redisStore(location);
  try {
    await body({ name, location, store, queues });
  } finally {
    for (const queue of queues) await queue.close?.();
    await store.close();
  }
}

async function startServer(name: Engine["name"]) {
  if (name === "sqlite") {
    const folder = await mkdtemp(path.join(tmpdir(), "wink-workers-"));
    const dispose = () => rm(folder, { recursive: true, force: true });
    return { location: path.join(folder, "workers.db"), [Symbol.asyncDispose]: dispose };
  }
  const server =
    name === "postgres" ? await PostgresServer.start(["fsync=off"]) : await RedisServer.start();
  return { location: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** A worker process. */
class TestWorker {
  readonly process: ChildProcess;
  readonly started: string[] = [];
  readonly committed: string[] = [];
  readonly ready: Promise<unknown>;
  readonly ended: Promise<unknown>;

  constructor({ name: engine, location }: Engine, name: string, prefix: readonly string[] = []) {
    const node = [process.execPath, PROGRAM];
    const [command = "", ...args] = [...prefix, ...node, engine, location, name, String(LEASE_MS)];
    this.process = spawn(command, args, {
      stdio: ["ignore", "pipe", "inherit"],
      // faketime starts Node as a child, so signals go to the group.
      detached: true,
      env: { ...process.env, NODE_OPTIONS: "", FAKETIME_DONT_FAKE_MONOTONIC: "1" },
    });
    this.ended = once(this.process, "exit");
    // It is always piped.
    const lines = createInterface({ input: this.process.stdout as NodeJS.ReadableStream });
    this.ready = Promise.race([once(lines, "line"), this.ended]);
    lines.on("line", (line) => {
      const { starts, commits, requestId } = JSON.parse(line);
      if (starts) this.started.push(`${requestId} ${starts}`);
      if (commits) this.committed.push(`${requestId} ${commits}`);
    });
  }

  kill(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.process;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.kill("SIGCONT");
    this.kill(signal);
    await this.ended;
  }
}

async function addRequests({ queues }: Engine): Promise<void> {
  for (let index = 0; index < REQUESTS; index++)
    await queues[index % queues.length]?.add({ requestId: `r${index}`, body: index });
}

async function isOver({ queues }: Engine): Promise<boolean> {
  const counts = await Promise.all(queues.map((queue) => queue.counts()));
  return counts.every(({ waiting, delayed, leased }) => waiting + delayed + leased === 0);
}

/** Each run has its turns once and in order, and its log names the worker of each turn. */
async function expectEachOnce({ store, queues }: Engine): Promise<readonly string[]> {
  const workers = new Set<string>();
  for (let index = 0; index < REQUESTS; index++) {
    const run = await store.read(`run-r${index}`);
    const turns: unknown[] = [];
    for await (const page of run?.records("events") ?? [])
      for (const bytes of page) {
        const { turn, worker } = JSON.parse(new TextDecoder().decode(bytes));
        turns.push(turn);
        workers.add(worker);
      }
    expect([index, turns]).toEqual([index, Array.from({ length: TURNS }, (_, turn) => turn + 1)]);
  }
  for (const queue of queues) expect(await queue.deadLetters()).toEqual([]);
  return [...workers];
}

/** A small generator, so that a run can be repeated with its seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const engines = [
  ["sqlite", true],
  ["postgres", IS_LONG && isAvailable("PostgreSQL", postgresProgram)],
  ["bullmq", IS_LONG && isAvailable("Redis or Valkey", redisProgram)],
] as const;

describe.each(engines.filter(([, isThere]) => isThere))("workers on %s", (name) => {
  it("end each request exactly once while they are frozen, killed and stopped (AD-119)", async () => {
    const seed = Number(process.env["WINK_WORKER_SEED"] ?? Date.now() % 100_000);
    console.log(`${name}: ${REQUESTS} requests, seed ${seed}`);
    const random = randomOf(seed);
    await withEngine(name, async (engine) => {
      let count = 0;
      const start = () => new TestWorker(engine, `w${++count}`);
      await addRequests(engine);
      const workers = Array.from({ length: 4 }, start);
      const done = { frozen: 0, killed: 0, stopped: 0 };
      let disturbed = 0;
      const disturb = async (index: number) => {
        const worker = workers[index];
        await worker?.ready;
        // Each kind at least once, and then any.
        const kind = KINDS[disturbed < KINDS.length ? disturbed : Math.floor(random() * 3)];
        disturbed += 1;
        if (kind === undefined) return;
        done[kind] += 1;
        if (kind === "frozen") {
          worker?.kill("SIGSTOP");
          await sleep(LEASE_MS * 1.5);
          worker?.kill("SIGCONT");
          return;
        }
        await worker?.end(kind === "killed" ? "SIGKILL" : "SIGTERM");
        workers[index] = start();
      };
      await Promise.all(workers.map((worker) => worker.ready));
      while (!(await isOver(engine))) {
        await sleep(50 + random() * 200);
        await disturb(Math.floor(random() * workers.length));
      }
      await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
      const names = await expectEachOnce(engine);
      console.log(`${name}: ${JSON.stringify(done)}, ${count} workers, ${names.length} did turns`);
    });
  });
});

it("SIGTERM loses no turn: what a worker starts, it commits (AD-117)", async () => {
  await withEngine("sqlite", async (engine) => {
    await addRequests(engine);
    const workers: TestWorker[] = [];
    while (!(await isOver(engine))) {
      const worker = new TestWorker(engine, `w${workers.length}`);
      workers.push(worker);
      await worker.ready;
      while (worker.started.length < 4 && !(await isOver(engine))) await sleep(5);
      await worker.end("SIGTERM");
      expect(worker.process.exitCode).toBe(0);
      expect(worker.committed.sort()).toEqual(worker.started.sort());
    }
    await expectEachOnce(engine);
    const turns = workers.flatMap(({ started }) => started);
    expect(turns.sort()).toEqual([...new Set(turns)].sort());
    expect(turns).toHaveLength(REQUESTS * TURNS);
  });
});

const faketime = findProgram("faketime");
const skewed = [
  ["bullmq", isAvailable("faketime with Redis or Valkey", faketime && redisProgram)],
  ["postgres", IS_LONG && isAvailable("faketime with PostgreSQL", faketime && postgresProgram)],
] as const;

it.each(skewed.filter(([, isThere]) => isThere))(
  "workers on %s with clocks one hour off change nothing (AD-111)",
  async (name) => {
    await withEngine(name, async (engine) => {
      await addRequests(engine);
      const deadlineAtMs = Date.now() + 1_800_000;
      await engine.queues[0]?.add({ requestId: "limited", body: 0, deadlineAtMs });
      const ahead = new TestWorker(engine, "ahead", [faketime ?? "", "-f", "+1h"]);
      const behind = new TestWorker(engine, "behind", [faketime ?? "", "-f", "-1h"]);
      while (!(await isOver(engine))) await sleep(20);
      await Promise.all([ahead.end("SIGTERM"), behind.end("SIGTERM")]);
      await expectEachOnce(engine);
      // No turn was done twice, so no lease was lost.
      expect([...ahead.started, ...behind.started]).toHaveLength((REQUESTS + 1) * TURNS);
    });
  },
);
