import { setTimeout as sleep } from "node:timers/promises";
import { isStoreError, type Store } from "@wink/store";
import { postgresStore } from "@wink/store/postgres";
import { redisStore } from "@wink/store/redis";
import { sqliteStore } from "@wink/store/sqlite";
import { BullmqRequestQueue } from "../queues/bullmq-request-queue.js";
import { PostgresRequestQueue } from "../queues/postgres-request-queue.js";
import { SqliteRequestQueue } from "../queues/sqlite-request-queue.js";
import type { RequestHandler } from "../worker/request-handler.js";
import type { RequestQueue } from "../worker/request-queue.js";
import { AgentLoopGroup } from "./agent-loop-group.js";

/** A worker with two queues: `<engine> <location> <name> <lease in ms>`. Each request is a run of three turns. */
const [engine = "", location = "", name = "", lease = ""] = process.argv.slice(2);
const leaseMs = Number(lease);
const TURNS = 3;

function openQueue(queue: string): RequestQueue<number> {
  if (engine === "sqlite")
    return new SqliteRequestQueue(location, { name: queue, synchronous: "normal" });
  if (engine === "postgres") return new PostgresRequestQueue(location, { name: queue });
  return new BullmqRequestQueue(location, { name: queue, leaseMs });
}

function openStore(): Store {
  if (engine === "sqlite") return sqliteStore(location, { synchronous: "normal" });
  return engine === "postgres" ? postgresStore(location) : redisStore(location);
}

const store = openStore();
const encode = (value: object) => new TextEncoder().encode(JSON.stringify(value));

/** Takes over the run from any process: the store refuses the commits of everyone else from then on. */
const handler: RequestHandler<number> = async ({ requestId }, { closing, signal }) => {
  const run = await store.open(`run-${requestId}`, { takeOver: "always", leaseMs });
  try {
    for (let turn = run.counts.events + 1; turn <= TURNS; turn++) {
      if (closing.aborted) throw closing.reason;
      // The lease may be lost already; only the store decides whether the turn is committed.
      console.log(JSON.stringify({ starts: turn, requestId }));
      await sleep(20 + Math.random() * 60);
      await run.commit({ events: [encode({ turn, worker: name })] });
      console.log(JSON.stringify({ commits: turn, requestId }));
    }
    signal.throwIfAborted();
  } finally {
    await run.close().catch((error) => {
      if (!isStoreError(error)) throw error;
    });
  }
};

const loop = {
  handler,
  leaseMs,
  concurrency: 2,
  maxAttempts: 1000,
  waitMs: 200,
  backOff: { baseDelayMs: 10 },
};
const quiet = { onError: () => {} };
const queues = { left: openQueue("left"), right: openQueue("right") };
const group = new AgentLoopGroup({
  watchdog: false,
  graceMs: 20_000,
  loops: {
    left: { ...loop, ...quiet, queue: queues.left },
    right: { ...loop, ...quiet, queue: queues.right },
  },
});
console.log(JSON.stringify({ ready: true }));
await group.run();
for (const queue of Object.values(queues)) await queue.close?.();
await store.close();
