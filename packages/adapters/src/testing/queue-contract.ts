import { findRunner, type TestRunner } from "@wink/store/testing";
import {
  hasMethod,
  invalid,
  requireFunction,
  requireOneOf,
  requireOptions,
} from "../runtime/context/require-options.js";
import type { Clock } from "../worker/clock.js";
import type { RequestQueue } from "../worker/request-queue.js";
import { queueCases } from "./queue-cases.js";
import { givenTime, ownTime } from "./queue-time.js";

/** Creates a new, empty queue that reads the time from `clock`. Called once per case. */
export type QueueFactory = (options: {
  readonly clock: Clock;
}) => RequestQueue | Promise<RequestQueue>;

export interface QueueContractOptions {
  /**
   * `"given"`: the queue reads the time from the clock that the factory receives. `"own"`: it has
   * another clock, such as its server's, so the contract waits for real time. @default "given"
   */
  readonly clock?: "given" | "own" | undefined;
  /** The lease duration with the queue's own clock. @default 500 */
  readonly leaseMs?: number | undefined;
  /**
   * With the queue's own clock: how much times may differ, and how late a request may return. Use a large value on a
   * slow machine; it costs time only if a case fails. @default 20_000
   */
  readonly slackMs?: number | undefined;
  /** Whether the queue serialises requests with the same key. @default true */
  readonly keys?: boolean | undefined;
  /** Disposes of a queue after its case. @default calls `close` */
  readonly cleanup?: ((queue: RequestQueue) => void | Promise<void>) | undefined;
  /** @default the framework that runs the file: vitest, `node:test`, or one with global functions */
  readonly runner?: TestRunner | undefined;
}

const OPTIONS = ["clock", "leaseMs", "slackMs", "keys", "cleanup", "runner"];
/** How often a case is started when the machine was too slow for its lease. */
const MAX_ROUNDS = 20;

/** Registers every case of the `RequestQueue` contract for one implementation. */
export function queueContract(
  name: string,
  factory: QueueFactory,
  options: QueueContractOptions = {},
): void {
  if (typeof name !== "string") throw invalid("queueContract", "the first argument is a name.");
  requireFunction("queueContract", factory ?? null);
  requireOptions("queueContract", options, OPTIONS);
  requireOneOf("clock", options.clock, ["given", "own"]);
  const { runner = findRunner("queueContract"), keys = true } = options;
  runner.describe(`${name} fulfils the queue contract`, () => {
    for (const { title, needsKeys, run } of queueCases)
      if (keys || !needsKeys) runner.it(title, () => tryCase(run, factory, options));
  });
}

async function tryCase(
  run: (typeof queueCases)[number]["run"],
  factory: QueueFactory,
  options: QueueContractOptions,
): Promise<void> {
  const { clock, leaseMs = 500, slackMs = 20_000 } = options;
  const { cleanup = (queue: RequestQueue) => queue.close?.() } = options;
  const time = clock === "own" ? ownTime(leaseMs, slackMs) : givenTime();
  for (let round = 1; ; round++) {
    const queue = await factory({ clock: time.clock });
    if (!hasMethod(queue, "take"))
      throw invalid("queueContract", "the factory must return a queue.");
    try {
      return await run(queue, time);
    } catch (error) {
      if (round === MAX_ROUNDS || !time.isInconclusive(error)) throw error;
    } finally {
      await cleanup(queue);
    }
  }
}
