import assert from "node:assert/strict";
import { AGAIN, DEAD, DONE, type QueueCase } from "./queue-case.js";

/** Leases, attempts and ends. */
export const leaseCases: Readonly<Record<string, QueueCase["run"]>> = {
  "forgets a finished request (AD-35)": async (queue, time) => {
    await queue.add({ body: 0 });
    const lease = await time.next(queue);
    assert.equal(await queue.end(lease, DONE), true);
    await time.pass(time.leaseMs + 1);
    assert.equal(await queue.take(time.leaseMs), undefined);
    assert.equal(await queue.end(lease, DONE), false);
    assert.equal(await queue.renew(lease, time.leaseMs), false);
  },

  "returns a request again after its lease ended, and refuses the old lease (AD-36)": async (
    queue,
    time,
  ) => {
    await queue.add({ body: 0 });
    const startMs = Date.now();
    const slow = await time.next(queue, time.leaseMs);
    await time.pass(time.justBefore(time.leaseMs));
    await time.nothingUntil(queue, startMs + time.leaseMs);
    await time.pass(time.leaseMs - time.justBefore(time.leaseMs));
    const next = await time.next(queue);
    assert.equal(next.attempt, 2);
    assert.notEqual(next.leaseId, slow.leaseId);
    assert.equal(await queue.renew(slow, time.leaseMs), false);
    for (const ending of [DONE, AGAIN, DEAD]) assert.equal(await queue.end(slow, ending), false);
    assert.equal(await queue.renew(next, 60_000), true);
    // A lease is plain data, and may come from a copy.
    assert.equal(await queue.end(JSON.parse(JSON.stringify(next)), DONE), true);
    assert.deepEqual(await queue.deadLetters(), []);
  },

  "returns a request after every lost lease (AD-36)": async (queue, time) => {
    await queue.add({ body: 0 });
    for (let attempt = 1; attempt <= 4; attempt++) {
      assert.equal((await time.next(queue, time.leaseMs)).attempt, attempt);
      await time.pass(time.leaseMs);
    }
    assert.deepEqual(await queue.deadLetters(), []);
  },

  "does not return a request while its lease is renewed (AD-36)": async (queue, time) => {
    await queue.add({ body: 0 });
    let startMs = Date.now();
    const lease = await time.next(queue, time.leaseMs);
    for (let round = 0; round < 3; round++) {
      await time.pass(time.justBefore(time.leaseMs));
      await time.nothingUntil(queue, startMs + time.leaseMs);
      const renewedMs = Date.now();
      time.held(await queue.renew(lease, time.leaseMs), startMs + time.leaseMs);
      startMs = renewedMs;
    }
    await time.nothingUntil(queue, startMs + time.leaseMs);
    time.held(await queue.end(lease, DONE), startMs + time.leaseMs);
  },

  "returns a request again after its delay, and counts the attempt only if asked (AD-35)": async (
    queue,
    time,
  ) => {
    await queue.add({ body: 0 });
    const first = await time.next(queue);
    const startMs = Date.now();
    assert.equal(await queue.end(first, { ...AGAIN, delayMs: 200 }), true);
    await time.pass(time.justBefore(200));
    await time.nothingUntil(queue, startMs + 200);
    await time.pass(200 - time.justBefore(200));
    const second = await time.next(queue);
    assert.equal(second.attempt, 2);
    assert.equal(await queue.end(second, { ...AGAIN, counted: false }), true);
    assert.equal((await time.next(queue)).attempt, 2);
  },

  "adds up the spending of all attempts (AD-35)": async (queue, time) => {
    await queue.add({ requestId: "r", body: 0 });
    await queue.end(await time.next(queue), { ...AGAIN, spent: { tokens: 3 } });
    await queue.end(await time.next(queue), { ...AGAIN, spent: { tokens: 4, toolCalls: 1 } });
    const lease = await time.next(queue);
    assert.deepEqual(lease.spent, { tokens: 7, toolCalls: 1 });
    await queue.end(lease, { ...DEAD, spent: { tokens: 1 } });
    assert.deepEqual((await queue.deadLetters())[0]?.request.spent, { tokens: 8, toolCalls: 1 });
    await queue.requeue("r");
    assert.deepEqual((await time.next(queue)).spent, { tokens: 8, toolCalls: 1 });
  },

  "lists dead requests with their reason, oldest first, and never leases them (AD-37)": async (
    queue,
    time,
  ) => {
    for (const requestId of ["a", "b"]) {
      await queue.add({ requestId, body: requestId });
      assert.equal(await queue.end(await time.next(queue), DEAD), true);
      await time.pass(2);
    }
    const letters = await queue.deadLetters();
    assert.deepEqual(
      letters.map(({ request, reason, message }) => [
        ...[request.requestId, request.body, request.attempt],
        ...[reason, message],
      ]),
      [
        ["a", "a", 1, "failed", "no luck"],
        ["b", "b", 1, "failed", "no luck"],
      ],
    );
    for (const [index, { buriedAtMs }] of letters.entries())
      time.equal(buriedAtMs, time.clock.now() - (2 - index) * 2);
    assert.equal("leaseId" in (letters[0]?.request ?? {}), false);
    await time.pass(time.leaseMs + 1);
    assert.equal(await queue.take(time.leaseMs), undefined);
  },

  "requeues a delayed request, which keeps its attempts (AD-37)": async (queue, time) => {
    await queue.add({ requestId: "r", body: 0 });
    await queue.end(await time.next(queue), { ...AGAIN, delayMs: 100 * time.leaseMs });
    assert.equal(await queue.requeue("r"), true);
    const lease = await time.next(queue);
    assert.equal(lease.attempt, 2);
    assert.equal(await queue.requeue("r"), false);
    assert.equal(await queue.end(lease, { kind: "done" }), true);
  },

  "requeues a dead request as a new one (AD-37)": async (queue, time) => {
    await queue.add({ requestId: "r", body: 0 });
    await queue.end(await time.next(queue), AGAIN);
    await queue.end(await time.next(queue), DEAD);
    assert.equal(await queue.requeue("r"), true);
    assert.equal(await queue.requeue("r"), false);
    assert.equal(await queue.requeue("none"), false);
    assert.deepEqual(await queue.deadLetters(), []);
    assert.equal((await time.next(queue, time.leaseMs)).attempt, 1);
    await time.pass(time.leaseMs);
    assert.equal((await time.next(queue)).attempt, 2);
  },
};
