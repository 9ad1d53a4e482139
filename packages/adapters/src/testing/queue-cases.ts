import assert from "node:assert/strict";
import type { LeasedRequest, RequestQueue } from "../worker/request-queue.js";
import type { ManualClock } from "./manual-clock.js";

export type QueueCase = (queue: RequestQueue, clock: ManualClock) => Promise<void>;

const LEASE_MS = 60_000;
const AGAIN = { kind: "again", delayMs: 0, counted: true, spent: {} } as const;
const DEAD = { kind: "dead", reason: "failed", message: "no luck", spent: {} } as const;

/** The contract: one case per requirement, by title. */
export const queueCases: Readonly<Record<string, QueueCase>> = {
  "returns nothing when it is empty (AD-35)": async (queue) => {
    assert.equal(await queue.take(LEASE_MS), undefined);
    assert.deepEqual(await queue.deadLetters(), []);
  },

  "returns each request once, in the order of insertion (AD-35)": async (queue) => {
    for (const requestId of ["a", "b", "c"]) await queue.add({ requestId, body: requestId });
    const given = [await takeOne(queue), await takeOne(queue), await takeOne(queue)];
    assert.deepEqual(
      given.map(({ requestId, body, attempt }) => [requestId, body, attempt]),
      ["a", "b", "c"].map((name) => [name, name, 1]),
    );
    assert.equal(await queue.take(LEASE_MS), undefined);
  },

  "never leases a request to two concurrent workers (AD-35)": async (queue) => {
    for (let index = 0; index < 10; index++) await queue.add({ body: index });
    const given = await Promise.all(Array.from({ length: 20 }, () => queue.take(LEASE_MS)));
    const bodies = given.flatMap((each) => (each === undefined ? [] : [each.body]));
    assert.deepEqual(
      bodies.sort((a, b) => Number(a) - Number(b)),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  },

  "stores every field of a request (AD-35)": async (queue, clock) => {
    const added = {
      body: { deep: [1, null, "ü"] },
      deadlineAtMs: clock.now() + 5,
      budget: { tokens: 7, costUsd: 0.5, wallMs: 9 },
    };
    const requestId = await queue.add(added);
    const { leaseId, ...request } = await takeOne(queue);
    assert.equal(typeof leaseId, "string");
    assert.deepEqual(request, {
      ...added,
      requestId,
      addedAtMs: clock.now(),
      attempt: 1,
      spent: {},
      leasedUntilMs: clock.now() + LEASE_MS,
    });
  },

  "adds a request id only once while it has the request (AD-35)": async (queue) => {
    const add = () => queue.add({ requestId: "same", body: 0 });
    assert.equal(await add(), "same");
    assert.equal(await add(), "same");
    const lease = await takeOne(queue);
    await add();
    assert.equal(await queue.take(LEASE_MS), undefined);
    await queue.end(lease, DEAD);
    await add();
    assert.equal(await queue.take(LEASE_MS), undefined);
    await queue.requeue("same");
    await queue.end(await takeOne(queue), { kind: "done" });
    await add();
    assert.equal((await takeOne(queue)).attempt, 1);
  },

  "does not return a request before its delay has passed (AD-35)": async (queue, clock) => {
    await queue.add({ requestId: "late", body: 0, delayMs: 100 });
    await queue.add({ requestId: "now", body: 0 });
    assert.equal((await takeOne(queue)).requestId, "now");
    await clock.advance(99);
    assert.equal(await queue.take(LEASE_MS), undefined);
    await clock.advance(1);
    assert.equal((await takeOne(queue)).requestId, "late");
  },

  "forgets a finished request (AD-35)": async (queue, clock) => {
    await queue.add({ body: 0 });
    const lease = await takeOne(queue);
    assert.equal(await queue.end(lease, { kind: "done" }), true);
    await clock.advance(LEASE_MS * 2);
    assert.equal(await queue.take(LEASE_MS), undefined);
    assert.equal(await queue.end(lease, { kind: "done" }), false);
    assert.equal(await queue.renew(lease, LEASE_MS), false);
  },

  "returns a request again after its lease ended, and refuses the old lease (AD-36)": async (
    queue,
    clock,
  ) => {
    await queue.add({ body: 0 });
    const slow = await takeOne(queue);
    await clock.advance(LEASE_MS - 1);
    assert.equal(await queue.take(LEASE_MS), undefined);
    await clock.advance(1);
    assert.equal(await queue.renew(slow, LEASE_MS), false);
    const next = await takeOne(queue);
    assert.equal(next.attempt, 2);
    assert.notEqual(next.leaseId, slow.leaseId);
    for (const ending of [{ kind: "done" }, AGAIN, DEAD] as const)
      assert.equal(await queue.end(slow, ending), false);
    assert.equal(await queue.renew(next, LEASE_MS), true);
    assert.equal(await queue.end(next, { kind: "done" }), true);
    assert.deepEqual(await queue.deadLetters(), []);
  },

  "does not return a request while its lease is renewed (AD-36)": async (queue, clock) => {
    await queue.add({ body: 0 });
    const lease = await takeOne(queue);
    for (let time = 0; time < 3; time++) {
      await clock.advance(LEASE_MS - 1);
      assert.equal(await queue.renew(lease, LEASE_MS), true);
    }
    assert.equal(await queue.take(LEASE_MS), undefined);
    assert.equal(await queue.end(lease, { kind: "done" }), true);
  },

  "returns a request again after its delay, and counts the attempt only if asked (AD-35)": async (
    queue,
    clock,
  ) => {
    await queue.add({ body: 0 });
    await queue.end(await takeOne(queue), { ...AGAIN, delayMs: 50 });
    await clock.advance(49);
    assert.equal(await queue.take(LEASE_MS), undefined);
    await clock.advance(1);
    const second = await takeOne(queue);
    assert.equal(second.attempt, 2);
    await queue.end(second, { ...AGAIN, counted: false });
    assert.equal((await takeOne(queue)).attempt, 2);
  },

  "adds up the spending of all attempts (AD-35)": async (queue) => {
    await queue.add({ requestId: "r", body: 0 });
    await queue.end(await takeOne(queue), { ...AGAIN, spent: { tokens: 3 } });
    await queue.end(await takeOne(queue), { ...AGAIN, spent: { tokens: 4, toolCalls: 1 } });
    const lease = await takeOne(queue);
    assert.deepEqual(lease.spent, { tokens: 7, toolCalls: 1 });
    await queue.end(lease, { ...DEAD, spent: { tokens: 1 } });
    assert.deepEqual((await queue.deadLetters())[0]?.request.spent, { tokens: 8, toolCalls: 1 });
    await queue.requeue("r");
    assert.deepEqual((await takeOne(queue)).spent, { tokens: 8, toolCalls: 1 });
  },

  "lists dead requests with their reason, oldest first, and never leases them (AD-37)": async (
    queue,
    clock,
  ) => {
    for (const requestId of ["a", "b"]) {
      await queue.add({ requestId, body: requestId });
      assert.equal(await queue.end(await takeOne(queue), DEAD), true);
      await clock.advance(1);
    }
    const letters = await queue.deadLetters();
    assert.deepEqual(
      letters.map(({ request, reason, message, buriedAtMs }) => [
        ...[request.requestId, request.body, request.attempt],
        ...[reason, message, buriedAtMs - clock.now()],
      ]),
      [
        ["a", "a", 1, "failed", "no luck", -2],
        ["b", "b", 1, "failed", "no luck", -1],
      ],
    );
    assert.equal("leaseId" in (letters[0]?.request ?? {}), false);
    await clock.advance(LEASE_MS * 2);
    assert.equal(await queue.take(LEASE_MS), undefined);
  },

  "requeues a dead request as a new one (AD-37)": async (queue) => {
    await queue.add({ requestId: "r", body: 0 });
    await queue.end(await takeOne(queue), AGAIN);
    await queue.end(await takeOne(queue), DEAD);
    assert.equal(await queue.requeue("r"), true);
    assert.equal(await queue.requeue("r"), false);
    assert.equal(await queue.requeue("none"), false);
    assert.deepEqual(await queue.deadLetters(), []);
    assert.equal((await takeOne(queue)).attempt, 1);
  },

  "notifies listeners of added requests until they are removed (AD-35)": async (queue) => {
    let told = 0;
    const forget = queue.onAdded?.(() => void told++);
    if (forget === undefined) return;
    await queue.add({ requestId: "r", body: 0 });
    await queue.end(await takeOne(queue), AGAIN);
    await queue.end(await takeOne(queue), DEAD);
    await queue.requeue("r");
    assert.equal(told, 3);
    forget();
    await queue.add({ body: 0 });
    assert.equal(told, 3);
  },
};

async function takeOne(queue: RequestQueue): Promise<LeasedRequest> {
  const lease = await queue.take(LEASE_MS);
  assert(lease !== undefined, "take() should have returned a request");
  return lease;
}
