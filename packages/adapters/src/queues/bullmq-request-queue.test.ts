import { Queue, Worker } from "bullmq";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  RedisServer,
  redisProgram,
  valkeyProgram,
} from "../../../store/src/servers/redis-server.test.support.js";
import { isAvailable } from "../../../store/src/servers/required.test.support.js";
import { queueContract } from "../testing.js";
import { BullmqRequestQueue } from "./bullmq-request-queue.js";
import { requestProcessor } from "./request-processor.js";

/** Starts a server for the tests of a group, and returns a function for its URL. */
function serverOf(program: string | undefined): () => string {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start(["--maxmemory-policy", "noeviction"], program);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });
  return () => server.url;
}

describe.runIf(isAvailable("Redis or Valkey", redisProgram))("BullMQ", () => {
  const url = serverOf(redisProgram);
  fulfilsContract("Redis", url);

  it("puts back a delayed request that a wrong clock made due (AD-111, AD-115)", async () => {
    const queue = new BullmqRequestQueue(url(), { name: "skew" });
    await queue.add({ requestId: "later", body: 1, delayMs: 1_800_000 });
    const now = Date.now;
    vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await queue.take(60_000)).toBeUndefined();
    vi.restoreAllMocks();
    expect(await queue.counts()).toEqual({ waiting: 0, delayed: 1, leased: 0, dead: 0 });
    await queue.close();
  });

  it("delays no check for lost leases if it takes no requests, such as a queue that only adds them (AD-115)", async () => {
    const client = createClient({ url: url() });
    await client.connect();
    onTestFinished(() => void client.destroy());
    // BullMQ skips the check in all processes while the key exists.
    const isChecked = async () => (await client.exists("bull:adds:stalled-check")) === 1;
    const queue = new BullmqRequestQueue(url(), { name: "adds" });
    onTestFinished(() => queue.close());
    await queue.add({ requestId: "a", body: 1 });
    await queue.counts();
    expect(await isChecked()).toBe(false);
    await queue.take(60_000);
    expect(await isChecked()).toBe(true);
  });

  it("runs a handler in a worker of BullMQ, and retries and buries with its errors (AD-115)", async () => {
    const client = createClient({ url: url() });
    await client.connect();
    const queue = new Queue<{ n: number }>("mine", { connection: client });
    const seen: string[] = [];
    const worker = new Worker<{ n: number }>(
      "mine",
      requestProcessor<{ n: number }>(
        async ({ requestId, body, attempt }) => {
          seen.push(`${requestId} ${attempt}`);
          if (body.n === 0 || (body.n === 1 && attempt === 1)) throw new Error("no luck");
          return { answer: body.n };
        },
        { maxAttempts: 2, backOff: { baseDelayMs: 1 } },
      ),
      { connection: client },
    );
    for (const n of [0, 1, 2]) await queue.add("request", { n }, { jobId: `job${n}` });
    await vi.waitFor(
      async () => {
        const { failed, completed } = await queue.getJobCounts("failed", "completed");
        expect([failed, completed]).toEqual([1, 2]);
      },
      { timeout: 60_000 },
    );
    expect(seen.sort()).toEqual(["job0 1", "job0 2", "job1 1", "job1 2", "job2 1"]);
    expect((await queue.getJob("job1"))?.returnvalue).toEqual({ answer: 1 });
    expect((await queue.getJob("job0"))?.failedReason).toBe("failed: Error: no luck");
    await worker.close();
    await queue.close();
    await client.close();
  });
});

// Debian has Valkey only in its backports.
describe.runIf(valkeyProgram !== undefined)("BullMQ on Valkey", () => {
  fulfilsContract("Valkey", serverOf(valkeyProgram));
});

function fulfilsContract(name: string, url: () => string): void {
  let count = 0;
  queueContract(
    `BullmqRequestQueue on ${name}`,
    () => new BullmqRequestQueue(url(), { name: `q${count++}`, leaseMs: 300, pollMs: 50 }),
    { clock: "own", leaseMs: 300, keys: false },
  );
}
