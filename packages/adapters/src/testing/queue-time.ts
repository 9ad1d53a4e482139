import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../worker/clock.js";
import { systemClock } from "../worker/clock.js";
import type { LeasedRequest, RequestQueue } from "../worker/request-queue.js";
import { ManualClock } from "./manual-clock.js";

/** How a case of the queue contract handles time. */
export interface QueueTime {
  /** The clock for the queue under test. */
  readonly clock: Clock;
  readonly leaseMs: number;
  /** A delay that is shorter than the given one: by a millisecond, or by half with the queue's own clock. */
  justBefore(delayMs: number): number;
  /** Lets time pass. */
  pass(delayMs: number): Promise<void>;
  /** Fails if the two times differ, or by more than the slack if the queue has its own clock. */
  equal(actual: number, expected: number): void;
  /** Fails if the queue has a request, at a time before `untilMs`. */
  nothingUntil(queue: RequestQueue, untilMs: number): Promise<void>;
  /** Fails if a lease that lasts until `untilMs` did not hold. */
  held(isHeld: boolean, untilMs: number): void;
  /**
   * The request that is due now; with the queue's own clock, within the slack.
   *
   * @param leaseMs a lease that does not end during the case, if none is given
   */
  next(queue: RequestQueue, leaseMs?: number): Promise<LeasedRequest>;
  /** Whether a case that failed like this says nothing about the queue, because the machine was too slow. */
  isInconclusive(error: unknown): boolean;
}

const LONG_MS = 600_000;

/** Time that only advances in the case. The queue reads it. */
export function givenTime(): QueueTime {
  const clock = new ManualClock(Date.UTC(2030, 0, 1));
  return {
    clock,
    leaseMs: 60_000,
    justBefore: (delayMs) => delayMs - 1,
    pass: (delayMs) => clock.advance(delayMs),
    equal: (actual, expected) => assert.equal(actual, expected),
    nothingUntil: async (queue) => assert.equal(await queue.take(60_000), undefined),
    held: (isHeld) => assert.equal(isHeld, true),
    next: async (queue, leaseMs = LONG_MS) => found(await queue.take(leaseMs)),
    isInconclusive: () => false,
  };
}

class TooSlow extends Error {}

/** The time of the queue's server. */
export function ownTime(leaseMs: number, slackMs: number): QueueTime {
  return {
    clock: systemClock,
    leaseMs,
    justBefore: (delayMs) => delayMs / 2,
    pass: async (delayMs) => void (await sleep(delayMs)),
    equal: (actual, expected) => {
      const message = `${actual} should be ${expected}, give or take ${slackMs}`;
      assert(Math.abs(actual - expected) <= slackMs, message);
    },
    nothingUntil: async (queue, untilMs) => {
      const taken = await queue.take(leaseMs);
      if (taken !== undefined && Date.now() >= untilMs) throw new TooSlow();
      assert.equal(taken, undefined);
    },
    held: (isHeld, untilMs) => {
      if (!isHeld && Date.now() >= untilMs) throw new TooSlow();
      assert.equal(isHeld, true);
    },
    next: async (queue, ms = LONG_MS) => {
      const endMs = Date.now() + leaseMs + slackMs;
      for (;;) {
        const taken = await queue.take(ms, { waitMs: 50 });
        if (taken !== undefined) return taken;
        assert(Date.now() < endMs, "take() should have returned a request");
      }
    },
    isInconclusive: (error) => error instanceof TooSlow,
  };
}

function found(lease: LeasedRequest | undefined): LeasedRequest {
  assert(lease !== undefined, "take() should have returned a request");
  return lease;
}
