import type { TestRunner } from "@wink/filesystem/testing";
import type { RequestQueue } from "../worker/request-queue.js";
import { ManualClock } from "./manual-clock.js";
import { queueCases } from "./queue-cases.js";

/** Makes a new, empty queue for which it is always as late as `now` says. Called once in each case. */
export type QueueFactory = (options: {
  readonly now: () => number;
}) => RequestQueue | Promise<RequestQueue>;

export interface QueueContractOptions {
  /** Puts away what the factory made, after its case. @default nothing to do */
  readonly cleanup?: ((queue: RequestQueue) => void | Promise<void>) | undefined;
  /** @default the global `describe` and `it` */
  readonly runner?: TestRunner | undefined;
}

/**
 * Registers every case of the contract of `RequestQueue` for one implementation.
 *
 * It works in vitest, Jest and `node:test`, and in anything else that has a `describe` and an `it`.
 */
export function queueContract(
  name: string,
  factory: QueueFactory,
  { cleanup, runner = findRunner() }: QueueContractOptions = {},
): void {
  runner.describe(`${name} keeps the contract of a queue`, () => {
    for (const [title, run] of Object.entries(queueCases))
      runner.it(title, async () => {
        const clock = new ManualClock(Date.UTC(2030, 0, 1));
        const queue = await factory({ now: () => clock.now() });
        try {
          await run(queue, clock);
        } finally {
          await cleanup?.(queue);
        }
      });
  });
}

/** The framework whose `describe` and `it` are global. */
function findRunner(): TestRunner {
  // Checked below: whoever put them there, they are functions.
  const { describe, it } = globalThis as Partial<TestRunner>;
  if (typeof describe === "function" && typeof it === "function") return { describe, it };
  throw new Error(
    "There is no global describe and it. Give them: queueContract(name, factory, { runner: { describe, it } }).",
  );
}
