import assert from "node:assert/strict";
import type { RequestPriority } from "../worker/request-queue.js";
import { DEAD, DONE, type QueueCase } from "./queue-case.js";
import { leaseCases } from "./queue-lease-cases.js";

/** Requests, their fields, their order and what tools see of them. */
const requestCases: Readonly<Record<string, QueueCase["run"]>> = {
  "returns nothing when it is empty (AD-35)": async (queue, time) => {
    assert.equal(await queue.take(time.leaseMs), undefined);
    assert.deepEqual(await queue.deadLetters(), []);
    assert.deepEqual(await queue.list(), []);
  },

  "returns each request once, in the order of insertion (AD-35)": async (queue, time) => {
    for (const requestId of ["a", "b", "c"]) await queue.add({ requestId, body: requestId });
    const given = [await time.next(queue), await time.next(queue), await time.next(queue)];
    assert.deepEqual(
      given.map(({ requestId, body, attempt }) => [requestId, body, attempt]),
      ["a", "b", "c"].map((name) => [name, name, 1]),
    );
    assert.equal(await queue.take(time.leaseMs), undefined);
  },

  "never leases a request to two concurrent workers (AD-35)": async (queue) => {
    for (let index = 0; index < 10; index++) await queue.add({ body: index });
    const given = await Promise.all(Array.from({ length: 20 }, () => queue.take(600_000)));
    const bodies = given.flatMap((each) => (each === undefined ? [] : [each.body]));
    assert.deepEqual(
      bodies.sort((a, b) => Number(a) - Number(b)),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  },

  "stores every field of a request (AD-35)": async (queue, time) => {
    const nowMs = time.clock.now();
    const limits = { deadlineAtMs: nowMs + 5, budget: { tokens: 7, costUsd: 0.5, wallMs: 9 } };
    const names = { priority: "high", key: "k", replyTo: "answers" } as const;
    const added = { body: { deep: [1, null, "ü"] }, ...limits, ...names };
    const requestId = await queue.add(added);
    const lease = await time.next(queue, time.leaseMs);
    const { leaseId, leasedUntilMs, addedAtMs, ...request } = lease;
    assert.equal(typeof leaseId, "string");
    assert.deepEqual(request, { ...added, requestId, attempt: 1, spent: {} });
    time.equal(addedAtMs, nowMs);
    time.equal(leasedUntilMs, nowMs + time.leaseMs);
    await queue.end(lease, DONE);
    await queue.add({ requestId: "bare", body: null });
    const { priority, key, replyTo, budget, deadlineAtMs } = await time.next(queue);
    assert.deepEqual(
      { priority, key, replyTo, budget, deadlineAtMs },
      {
        ...{ priority: "normal", key: undefined, replyTo: undefined },
        ...{ budget: undefined, deadlineAtMs: undefined },
      },
    );
  },

  "accepts any id, and refuses what is not a request (AD-35)": async (queue, time) => {
    const ids = ["a:b", "42", "0", "ü/'\"\\ \n", "__proto__", "x".repeat(300)];
    for (const requestId of ids) assert.equal(await queue.add({ requestId, body: 0 }), requestId);
    const taken: string[] = [];
    for (const _ of ids) taken.push((await time.next(queue)).requestId);
    assert.deepEqual(taken.sort(), ids.sort());
    const isRefused = { code: "ARGUMENT_INVALID" };
    await assert.rejects(async () => queue.add({ requestId: "", body: 0 }), isRefused);
    await assert.rejects(async () => queue.add({ body: "x".repeat(300_000) }), isRefused);
    await assert.rejects(async () => queue.add({ body: () => 0 }), isRefused);
  },

  "adds a request id only once while it has the request (AD-35)": async (queue, time) => {
    const add = () => queue.add({ requestId: "same", body: 0 });
    assert.equal(await add(), "same");
    assert.equal(await add(), "same");
    const lease = await time.next(queue);
    await add();
    assert.equal(await queue.take(time.leaseMs), undefined);
    await queue.end(lease, DEAD);
    await add();
    assert.equal(await queue.take(time.leaseMs), undefined);
    await queue.requeue("same");
    await queue.end(await time.next(queue), DONE);
    await add();
    assert.equal((await time.next(queue)).attempt, 1);
  },

  "does not return a request before its delay has passed (AD-35)": async (queue, time) => {
    const startMs = Date.now();
    await queue.add({ requestId: "late", body: 0, delayMs: 300 });
    await queue.add({ requestId: "now", body: 0 });
    const now = await time.next(queue);
    if (Date.now() < startMs + 300) assert.equal(now.requestId, "now");
    await queue.end(now, DONE);
    await time.pass(time.justBefore(300));
    await time.nothingUntil(queue, startMs + 300);
    await time.pass(300 - time.justBefore(300));
    assert.equal((await time.next(queue)).requestId, "late");
  },

  "returns a request of a higher priority first (AD-110)": async (queue, time) => {
    const order: readonly (RequestPriority | undefined)[] = ["low", undefined, "high", "low"];
    for (const [index, priority] of [...order, "high" as const].entries())
      await queue.add({ body: index, priority });
    const taken: unknown[] = [];
    for (let index = 0; index < 5; index++) taken.push((await time.next(queue)).body);
    assert.deepEqual(taken, [2, 4, 1, 0, 3]);
  },

  "counts, lists and drops requests (AD-110)": async (queue, time) => {
    for (const requestId of ["dead", "leased"]) await queue.add({ requestId, body: requestId });
    await queue.end(await time.next(queue), DEAD);
    await time.next(queue);
    await queue.add({ requestId: "waiting", body: 1 });
    await queue.add({ requestId: "delayed", body: 2, delayMs: 1_000_000 });
    assert.deepEqual(await queue.counts(), { waiting: 1, delayed: 1, leased: 1, dead: 1 });
    const listed = (await queue.list()).map(({ requestId, state, body }) => [
      ...[requestId, state, body],
    ]);
    assert.deepEqual(listed.sort(), [
      ["delayed", "delayed", 2],
      ["leased", "leased", "leased"],
      ["waiting", "waiting", 1],
    ]);
    assert.equal(await queue.drop("leased"), false);
    assert.equal((await queue.list({ limit: 2 })).length, 2);
    for (const requestId of ["dead", "waiting", "delayed"]) {
      assert.equal(await queue.drop(requestId), true);
      assert.equal(await queue.drop(requestId), false);
    }
    assert.deepEqual(await queue.deadLetters(), []);
    await queue.add({ requestId: "waiting", body: 3 });
    assert.deepEqual((await time.next(queue)).body, 3);
  },
};

/** A `take` that waits. */
const waitCases: Readonly<Record<string, QueueCase["run"]>> = {
  "waits for a request that is added (AD-110)": async (queue, time) => {
    const taken = queue.take(time.leaseMs, { waitMs: 60_000 });
    await queue.add({ requestId: "r", body: 0 });
    assert.equal((await taken)?.requestId, "r");
  },

  "waits for a request that becomes due, and for a lease that ends (AD-110)": async (
    queue,
    time,
  ) => {
    await queue.add({ requestId: "r", body: 0, delayMs: 200 });
    const taken = queue.take(time.leaseMs, { waitMs: 60_000 });
    await time.pass(200);
    assert.equal((await taken)?.requestId, "r");
    const again = queue.take(time.leaseMs, { waitMs: 90_000 });
    await time.pass(time.leaseMs);
    assert.equal((await again)?.attempt, 2);
  },

  "ends the wait when its time is over or its signal aborts (AD-110)": async (queue, time) => {
    const short = queue.take(time.leaseMs, { waitMs: 100 });
    await time.pass(100);
    assert.equal(await short, undefined);
    const stop = new AbortController();
    const stopped = queue.take(time.leaseMs, { waitMs: 1_000_000, signal: stop.signal });
    stop.abort();
    assert.equal(await stopped, undefined);
    await queue.add({ body: 0 });
    const aborted = await queue.take(time.leaseMs, { waitMs: 1_000, signal: AbortSignal.abort() });
    assert.equal(aborted, undefined);
    assert.equal((await time.next(queue)).attempt, 1);
  },
};

const keyCases: Readonly<Record<string, QueueCase["run"]>> = {
  "returns requests with the same key one after the other (AD-110)": async (queue, time) => {
    for (const requestId of ["a1", "a2", "b"])
      await queue.add({ requestId, body: 0, key: requestId[0] });
    const [first, second] = [await time.next(queue), await time.next(queue)];
    assert.deepEqual([first.requestId, second.requestId], ["a1", "b"]);
    assert.equal(await queue.take(time.leaseMs), undefined);
    const waiting = queue.take(time.leaseMs, { waitMs: 60_000 });
    await queue.end(first, DONE);
    assert.equal((await waiting)?.requestId, "a2");
  },
};

/** The contract: one case per requirement. */
export const queueCases: readonly QueueCase[] = [
  ...casesOf({ ...requestCases, ...leaseCases, ...waitCases }, false),
  ...casesOf(keyCases, true),
];

function casesOf(
  runs: Readonly<Record<string, QueueCase["run"]>>,
  needsKeys: boolean,
): QueueCase[] {
  return Object.entries(runs).map(([title, run]) => ({ title, needsKeys, run }));
}
