import pg from "pg";
import { expect, it } from "vitest";
import type { PostgresPool } from "../postgres/postgres-connection.js";
import { postgresStore } from "../postgres/postgres-store.js";
import { redisStore } from "../redis/redis-store.js";
import { s3Store } from "../s3/s3-store.js";
import { PostgresServer, postgresProgram } from "../servers/postgres-server.test.support.js";
import { RedisServer, redisProgram } from "../servers/redis-server.test.support.js";
import { isAvailable } from "../servers/required.test.support.js";
import { S3Server } from "../servers/s3-server.test.support.js";
import { CommitHistory } from "./commit-history.test.support.js";
import { FaultProxy, printedSeed, seeded } from "./fault-proxy.test.support.js";

/** Acknowledged commits of each test. The long form has 34,000. */
const COMMITS = Number(
  process.env["WINK_STORE_COMMITS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 150 : 50),
);
const KILLS = Number(process.env["WINK_STORE_KILLS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 2 : 1));

const servers = [
  {
    name: "PostgreSQL",
    // Its protocol begins with a login, so requests are repeated by the pool: see the next test.
    repeats: false,
    program: postgresProgram,
    start: () => PostgresServer.start(),
    open: (port: number, timeoutMs?: number) =>
      postgresStore(`postgres://postgres@127.0.0.1:${port}/postgres`, {
        maxConnections: 2,
        timeoutMs,
      }),
  },
  {
    name: "Redis",
    repeats: true,
    program: redisProgram,
    start: () => RedisServer.start(),
    open: (port: number, timeoutMs?: number) =>
      redisStore(`redis://127.0.0.1:${port}`, { timeoutMs }),
  },
].filter(({ name, program }) => isAvailable(name, program));

const s3 = {
  name: "S3",
  repeats: true,
  async start() {
    const server = await S3Server.start();
    const port = Number(new URL(server.url).port);
    return { port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  },
  open: (port: number, timeoutMs?: number) =>
    s3Store({
      timeoutMs,
      bucket: "runs",
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: "AK", secretAccessKey: "SK" },
    }),
};

it.each([...servers, s3])(
  "$name: a network that resets, cuts, drops, delays and repeats loses no commit and applies none twice (STO-36, J233, J243)",
  async ({ name, repeats, start, open }) => {
    const random = seeded(printedSeed(`${name} over a faulty network`));
    await using server = await start();
    await using proxy = await FaultProxy.start(server.port, random);
    await using store = open(proxy.port);
    const history = new CommitHistory();
    const writer = await store.open("a", { leaseMs: 600_000 });
    proxy.faultRate = 0.05;
    proxy.repeats = repeats;
    const faults = () => Object.values(proxy.faults).reduce((sum, each) => sum + each, 0);
    // With few commits there may be no fault yet.
    while (history.acknowledged.length < COMMITS || faults() === 0) await history.commit(writer);
    proxy.faultRate = 0;
    await history.check(store, "a");
    console.log(
      `${name}: ${COMMITS} commits, ${JSON.stringify(proxy.faults)}, ${history.errors} errors`,
    );
    await writer.close();
  },
);

it.each([...servers, s3])(
  "$name: a network that passes nothing on ends no call too late, and the store works again after it (STO-36, J233)",
  async ({ start, open }) => {
    await using server = await start();
    await using proxy = await FaultProxy.start(server.port);
    const store = open(proxy.port, 300);
    const openOne = () => store.open("a", { leaseMs: 600_000, takeOver: "always" });
    let opened = await openOne().catch(() => undefined);
    // A busy machine may need more than the limit of a call.
    while (opened === undefined) opened = await openOne().catch(() => undefined);
    const writer = opened;
    await writer.commit({ events: [Buffer.from("1")] });
    proxy.isSilent = true;
    await expect(writer.commit({ events: [Buffer.from("2")] })).rejects.toThrow(
      expect.objectContaining({ code: "UNKNOWN" }),
    );
    await writer.close();
    await expect(store.read("a")).rejects.toThrow(expect.objectContaining({ code: "UNREACHABLE" }));
    proxy.isSilent = false;
    let version: number | undefined;
    // Connections that were silent are replaced after their own limit.
    while (version === undefined)
      version = await store.read("a").then(
        (head) => head?.version,
        () => undefined,
      );
    expect(version).toBe(1);
    proxy.isSilent = true;
    await store.close();
  },
);

if (postgresProgram !== undefined)
  it("PostgreSQL: a commit that the server executes twice is applied once (STO-36, J243)", async () => {
    await using server = await PostgresServer.start(["fsync=off"]);
    const pool = new pg.Pool({ connectionString: server.url, max: 2 });
    let repeated = 0;
    const repeating: PostgresPool = {
      end: () => pool.end(),
      async connect() {
        const client = await pool.connect();
        return {
          async query(query, values) {
            const run = () => client.query(query as string, values);
            const text = typeof query === "string" ? query : query.text;
            if (/UPDATE [^ ]+head/.test(text)) {
              repeated += 1;
              await run();
            }
            return await run();
          },
          release: (error) => client.release(error),
          on: (event, listener) => client.on(event, listener),
          removeListener: (event, listener) => client.removeListener(event, listener),
        };
      },
    };
    const store = postgresStore(repeating);
    const history = new CommitHistory();
    const writer = await store.open("a", { leaseMs: 600_000 });
    for (let number = 0; number < Math.min(COMMITS, 1000); number++) await history.commit(writer);
    await history.check(store, "a");
    expect(history.acknowledged).toHaveLength(Math.min(COMMITS, 1000));
    expect(repeated).toBeGreaterThanOrEqual(history.acknowledged.length);
    await writer.close();
    await pool.end();
  });

it.each(servers)(
  "$name: kill -9 of the server under load loses no acknowledged commit (STO-37, J233)",
  async ({ start, open }) => {
    await using server = await start();
    await using store = open(server.port);
    const history = new CommitHistory();
    const writer = await store.open("a", { leaseMs: 600_000 });
    for (let kill = 0; kill < KILLS; kill++) {
      const target = history.acknowledged.length + 20;
      let isRestarted = false;
      const restart = async () => {
        while (history.acknowledged.length < target)
          await new Promise((next) => setImmediate(next));
        await server.kill();
        await server.restart();
        isRestarted = true;
      };
      const restarting = restart();
      while (!isRestarted) await history.commit(writer);
      await restarting;
    }
    await history.commit(writer);
    await history.check(store, "a");
    await writer.close();
  },
);
