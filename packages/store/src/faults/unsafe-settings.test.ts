import { cp, rm } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { createClient } from "redis";
import { expect, it, vi } from "vitest";
import { postgresStore } from "../postgres/postgres-store.js";
import { redisStore } from "../redis/redis-store.js";
import { PostgresServer, postgresProgram } from "../servers/postgres-server.test.support.js";
import { RedisServer, redisProgram } from "../servers/redis-server.test.support.js";

// Controls: with these settings a server may lose what it acknowledged, and the store must name it.

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

  it("Redis: a server that begins to evict is reported as LOST, or the content as MISSING_BLOB (STO-38, J236)", async () => {
    await using server = await RedisServer.start();
    await using store = redisStore(server.url);
    const writer = await store.open("a");
    const batch = await writer.place([{ bytes: Buffer.alloc(100_000, "x") }]);
    await writer.commit({ events: [Buffer.from("1")], blobs: [batch] });
    const client = createClient({ url: server.url });
    await client.connect();
    await client.configSet("maxmemory-policy", "allkeys-lru");
    // Less than it uses, so that it deletes all keys at the next write.
    await client.configSet("maxmemory", "1");
    await client.set("other", "1").catch(() => {});
    expect(await client.dbSize()).toBe(0);
    await client.configSet("maxmemory", "0");
    client.destroy();
    await expect(writer.read(batch.refs)).rejects.toMatchObject({ code: "MISSING_BLOB" });
    await expect(writer.commit({ events: [Buffer.from("2")] })).rejects.toMatchObject({
      code: "LOST",
    });
    await expect(redisStore(server.url).open("b")).rejects.toMatchObject({ code: "EVICTING" });
  });

  it("Redis: a server whose memory is full refuses a commit and keeps all others (STO-37)", async () => {
    await using server = await RedisServer.start();
    await using store = redisStore(server.url);
    const writer = await store.open("a", { leaseMs: 600_000 });
    await writer.commit({ events: [Buffer.from("1")] });
    const client = createClient({ url: server.url });
    await client.connect();
    await client.configSet("maxmemory", "1");
    await expect(writer.commit({ events: [Buffer.from("2")] })).rejects.toMatchObject({
      code: "FULL",
    });
    await client.configSet("maxmemory", "0");
    client.destroy();
    await writer.commit({ events: [Buffer.from("3")] });
    expect((await store.read("a"))?.counts.events).toBe(2);
    await writer.close();
  });
}

if (postgresProgram !== undefined)
  it("PostgreSQL: a server that acknowledges before it writes, and is killed, is reported as REWOUND (STO-38, J247)", async () => {
    const settings = ["synchronous_commit=off", "wal_writer_delay=10000ms"];
    await using server = await PostgresServer.start(settings);
    await using store = postgresStore(server.url);
    const writer = await store.open("a", { leaseMs: 600_000 });
    await writer.commit({ events: [Buffer.from("1")] });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query("CHECKPOINT");
    await client.end();
    await writer.commit({ events: [Buffer.from("2")] });
    await server.kill();
    await server.restart();
    await expect(writer.commit({ events: [Buffer.from("3")] })).rejects.toMatchObject({
      code: "REWOUND",
    });
    await expect(store.open("a", { minVersion: 2, takeOver: "always" })).rejects.toMatchObject({
      code: "REWOUND",
    });
  });
