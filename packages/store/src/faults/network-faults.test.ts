import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { postgresStore } from "../postgres/postgres-store.js";
import { redisStore } from "../redis/redis-store.js";
import { PostgresServer, postgresProgram } from "../servers/postgres-server.test.support.js";
import { RedisServer, redisProgram } from "../servers/redis-server.test.support.js";
import { isAvailable } from "../servers/required.test.support.js";
import { CommitHistory } from "./commit-history.test.support.js";
import { FaultProxy, printedSeed, seeded } from "./fault-proxy.test.support.js";

/** Acknowledged commits of each test. The long form has 20,000. */
const COMMITS = Number(process.env["WINK_STORE_COMMITS"] ?? 150);
const KILLS = Number(process.env["WINK_STORE_KILLS"] ?? 2);

const engines = [
  {
    name: "PostgreSQL",
    program: postgresProgram,
    start: () => PostgresServer.start(),
    open: (port: number) =>
      postgresStore(`postgres://postgres@127.0.0.1:${port}/postgres`, { maxConnections: 2 }),
  },
  {
    name: "Redis",
    program: redisProgram,
    start: () => RedisServer.start(),
    open: (port: number) => redisStore(`redis://127.0.0.1:${port}`),
  },
].filter(({ name, program }) => isAvailable(name, program));

it.each(engines)(
  "$name: a network that resets, cuts, drops and delays loses no commit and repeats none (STO-36, J233, J243)",
  async ({ name, start, open }) => {
    const random = seeded(printedSeed(`${name} over a faulty network`));
    await using server = await start();
    await using proxy = await FaultProxy.start(server.port, random);
    await using store = open(proxy.port);
    const history = new CommitHistory();
    const writer = await store.open("a", { leaseMs: 600_000 });
    proxy.faultRate = 0.05;
    while (history.acknowledged.length < COMMITS) await history.commit(writer);
    proxy.faultRate = 0;
    await history.check(store, "a");
    const { reset, cut, drop, delay } = proxy.faults;
    console.log(
      `${name}: ${COMMITS} commits, ${JSON.stringify(proxy.faults)}, ${history.errors} errors`,
    );
    expect(reset + cut + drop + delay).toBeGreaterThan(0);
    await writer.close();
  },
);

it.each(engines)(
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

if (redisProgram !== undefined) {
  it("Redis: a server that comes back empty is reported as LOST (STO-38, J247)", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    await using server = await RedisServer.start(["--appendonly", "no"]);
    await using store = redisStore(server.url);
    const writer = await store.open("a");
    await writer.commit({ events: [Buffer.from("1")] });
    await server.kill();
    await server.restart();
    await expect(writer.commit({ events: [Buffer.from("2")] })).rejects.toMatchObject({
      code: "LOST",
    });
    await expect(store.open("a", { minVersion: 1 })).rejects.toMatchObject({ code: "LOST" });
    warn.mockRestore();
  });

  it("Redis: a server that lost its last commits is reported as REWOUND (STO-38)", async () => {
    await using server = await RedisServer.start();
    await using store = redisStore(server.url);
    const writer = await store.open("a");
    await writer.commit({ events: [Buffer.from("1")] });
    const files = path.join(server.directory, "appendonlydir");
    await server.kill();
    await cp(files, `${files}.old`, { recursive: true });
    await server.restart();
    await writer.commit({ events: [Buffer.from("2")] });
    await server.kill();
    await rm(files, { recursive: true });
    await cp(`${files}.old`, files, { recursive: true });
    await server.restart();
    await expect(writer.commit({ events: [Buffer.from("3")] })).rejects.toMatchObject({
      code: "REWOUND",
    });
    await expect(store.open("a", { minVersion: 2, takeOver: "always" })).rejects.toMatchObject({
      code: "REWOUND",
    });
  });
}
