import { describe, expect, it } from "vitest";
import { queueContract } from "../testing.js";
import { InMemoryRequestQueue } from "./in-memory-request-queue.js";

queueContract("memory", (options) => new InMemoryRequestQueue(options), {
  runner: { describe, it },
});

it("the queue counts waiting, leased and dead requests (AD-35)", async () => {
  const queue = new InMemoryRequestQueue({ now: () => 0 });
  for (let index = 0; index < 3; index++) await queue.add({ body: index });
  const lease = await queue.take(1);
  if (lease) await queue.end(lease, { kind: "dead", reason: "failed", message: "", spent: {} });
  await queue.take(1);
  expect(queue.size).toEqual({ waiting: 1, leased: 1, dead: 1 });
});
