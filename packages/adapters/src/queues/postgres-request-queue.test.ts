import { postgresStore } from "@wink/store/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  PostgresServer,
  postgresProgram,
} from "../../../store/src/servers/postgres-server.test.support.js";
import { isAvailable } from "../../../store/src/servers/required.test.support.js";
import { queueContract } from "../testing.js";
import { PostgresRequestQueue } from "./postgres-request-queue.js";

describe.runIf(isAvailable("PostgreSQL", postgresProgram))("PostgresRequestQueue", () => {
  let server: PostgresServer;
  let count = 0;
  beforeAll(async () => {
    server = await PostgresServer.start(["fsync=off"]);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  queueContract(
    "PostgresRequestQueue",
    () => new PostgresRequestQueue(server.url, { name: `q${count++}`, pollMs: 50 }),
    { clock: "own", leaseMs: 200 },
  );

  it("adds and ends requests in the transaction of a run's commit, or not at all (AD-114)", async () => {
    await using store = postgresStore(server.url);
    const queue = new PostgresRequestQueue(server.url, { name: "runs" });
    await queue.add({ requestId: "parent", body: 1 });
    const lease = await queue.take(60_000);
    if (lease === undefined) throw new Error("no lease");
    const writer = await store.open("run");
    const child = queue.addStatement({ requestId: "child", body: 2 });
    const done = queue.endStatement(lease, { kind: "done" });
    const waiting = queue.take(60_000, { waitMs: 60_000 });
    await writer.commit({ events: [Uint8Array.of(1)], statements: [child, done] });
    expect(await waiting).toMatchObject({ requestId: "child" });
    expect(await queue.counts()).toEqual({ waiting: 0, delayed: 0, leased: 1, dead: 0 });
    const taken = await store.open("run", { takeOver: "always" });
    const late = queue.addStatement({ requestId: "late", body: 3 });
    await expect(writer.commit({ statements: [late] })).rejects.toMatchObject({
      code: "LEASE_LOST",
    });
    expect(await queue.take(60_000)).toBeUndefined();
    await taken.close();
    await queue.close();
  });

  it("continues to wait when its connections are cut (AD-114)", async () => {
    const queue = new PostgresRequestQueue(server.url, { name: "cut", pollMs: 50 });
    const waiting = queue.take(60_000, { waitMs: 60_000 });
    await queue.counts();
    await server.kill("SIGQUIT");
    await server.restart();
    const other = new PostgresRequestQueue(server.url, { name: "cut" });
    await other.add({ requestId: "r", body: 1 });
    expect(await waiting).toMatchObject({ requestId: "r" });
    await other.close();
    await queue.close();
  });
});
