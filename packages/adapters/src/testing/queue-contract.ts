import type { TestRunner } from "@wink/filesystem/testing";
import { invalid, requireFunction, requireOptions } from "../runtime/context/require-options.js";
import type { RequestQueue } from "../worker/request-queue.js";
import { ManualClock } from "./manual-clock.js";
import { queueCases } from "./queue-cases.js";

/** Creates a new, empty queue that reads the time from `now`. Called once per case. */
export type QueueFactory = (options: {
  readonly now: () => number;
}) => RequestQueue | Promise<RequestQueue>;

/**
 * Registers every case of the `RequestQueue` contract for one implementation.
 *
 * Works with vitest, Jest, `node:test` and every other framework with `describe` and `it`.
 */
export function queueContract(
  name: string,
  factory: QueueFactory,
  options: {
    /** Disposes of a queue after its case. @default nothing */
    readonly cleanup?: ((queue: RequestQueue) => void | Promise<void>) | undefined;
    /** @default the global `describe` and `it` */
    readonly runner?: TestRunner | undefined;
  } = {},
): void {
  requireFunction("queueContract", factory ?? null);
  requireOptions("queueContract", options, ["cleanup", "runner"]);
  const { cleanup, runner = findRunner() } = options;
  runner.describe(`${name} fulfils the queue contract`, () => {
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

/** Returns the framework with a global `describe` and `it`. */
function findRunner(): TestRunner {
  // The types are checked below.
  const { describe, it } = globalThis as Partial<TestRunner>;
  if (typeof describe === "function" && typeof it === "function") return { describe, it };
  throw invalid(
    "queueContract",
    "no global describe and it found. Pass them: queueContract(name, factory, { runner: { describe, it } }).",
  );
}
