import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sqliteStore } from "@wink/store/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queueContract } from "../testing.js";
import { SqliteRequestQueue } from "./sqlite-request-queue.js";

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "wink-queue-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const file = () => path.join(folder, "queue.db");

queueContract(
  "SqliteRequestQueue",
  () => new SqliteRequestQueue(file(), { name: `q${count++}`, synchronous: "normal", pollMs: 20 }),
  { clock: "own", leaseMs: 200 },
);

describe("SqliteRequestQueue", () => {
  it("is shared by connections, in the file of a store, with other queues (AD-113)", async () => {
    const place = path.join(folder, "runs.db");
    const store = sqliteStore(place);
    const writer = await store.open("run");
    await writer.commit({ events: [Uint8Array.of(1)] });
    const [mine, same, other] = [
      ...[new SqliteRequestQueue(place), new SqliteRequestQueue(place)],
      new SqliteRequestQueue(place, { name: "other" }),
    ] as const;
    const waiting = same?.take(60_000, { waitMs: 60_000 });
    await mine?.add({ requestId: "r", body: 1 });
    expect(await waiting).toMatchObject({ requestId: "r", attempt: 1 });
    expect(await other?.counts()).toEqual({ waiting: 0, delayed: 0, leased: 0, dead: 0 });
    expect((await store.read("run"))?.version).toBe(1);
    for (const queue of [mine, same, other]) await queue?.close();
    await writer.close();
    await store.close();
  });

  it("refuses wrong names and options (AD-113)", () => {
    expect(() => new SqliteRequestQueue(file(), { name: "a b" })).toThrow("name: use 1 to 100");
    expect(() => new SqliteRequestQueue(file(), { tablePrefix: "x; DROP" })).toThrow(
      "tablePrefix:",
    );
    expect(() => new SqliteRequestQueue(7 as unknown as string)).toThrow("pass a path");
  });
});
