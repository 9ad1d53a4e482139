import { expect, it } from "vitest";
import { postgresStore } from "../postgres/postgres-store.js";
import { redisStore } from "../redis/redis-store.js";
import { PostgresServer, postgresProgram } from "../servers/postgres-server.test.support.js";
import { RedisServer, redisProgram } from "../servers/redis-server.test.support.js";
import { isAvailable } from "../servers/required.test.support.js";
import { FaultProxy } from "./fault-proxy.test.support.js";

const engines = [
  {
    name: "PostgreSQL",
    program: postgresProgram,
    start: () => PostgresServer.start(["fsync=off"]),
    // One connection, so that its start is counted once, before the measurement.
    open: (port: number) =>
      postgresStore(`postgres://postgres@127.0.0.1:${port}/postgres`, { maxConnections: 1 }),
    windowBytes: 8 * 1024 * 1024,
  },
  {
    name: "Redis",
    program: redisProgram,
    start: () => RedisServer.start(),
    open: (port: number) => redisStore(`redis://127.0.0.1:${port}`),
    windowBytes: 8 * 1024 * 1024,
  },
].filter(({ name, program }) => isAvailable(name, program));

it.each(engines)(
  "$name: calls stay within their budgets of round trips, counted on the wire (STO-39)",
  async ({ start, open, windowBytes }) => {
    await using server = await start();
    await using proxy = await FaultProxy.start(server.port);
    await using store = open(proxy.port);
    await store.read("warm-up");
    await (await store.open("warm-up")).commit({ events: [Buffer.from("e")] });
    const trips = async <T>(body: () => Promise<T>) => {
      const before = proxy.roundTrips;
      const value = await body();
      return { value, count: proxy.roundTrips - before };
    };
    const opened = await trips(() => store.open("a", { leaseMs: 600_000 }));
    expect(opened.count).toBe(1);
    const writer = opened.value;
    const files = Array.from({ length: 2000 }, (_, index) => ({
      bytes: Buffer.alloc(2000, `${index} `),
    }));
    const batch = await writer.place(files);
    const imported = await trips(() => writer.commit({ state: Buffer.from("s"), blobs: [batch] }));
    expect(imported.count).toBeLessThanOrEqual(Math.ceil(batch.newBytes / (4 * 1024 * 1024)));

    const one = await writer.place([{ bytes: Buffer.from("one file") }]);
    const changes = {
      delta: Buffer.from("d"),
      events: [Buffer.from("1"), Buffer.from("2"), Buffer.from("3")],
      transcript: [Buffer.from("said")],
      blobs: [one],
    };
    // The statement is prepared by the first of its kind.
    expect((await trips(() => writer.commit(changes))).count).toBe(1);
    const snapshot = { entries: { set: { first: Buffer.from("snapshot") } } };
    expect((await trips(() => writer.commit(snapshot))).count).toBe(1);
    expect((await trips(() => writer.read([one.refs[0] ?? ""]))).count).toBe(1);
    const all = await trips(() => writer.read(batch.refs));
    expect(all.count).toBeLessThanOrEqual(Math.ceil(batch.newBytes / windowBytes) + 3);
    const pages = await trips(async () => {
      for await (const page of writer.records("events")) expect(page).toHaveLength(3);
    });
    expect(pages.count).toBe(1);
    expect((await trips(() => store.read("a"))).count).toBe(1);
    await writer.close();
  },
);
