import type { ModelMessage } from "../runtime/loop/model-client.js";
import type { WatchedRun } from "../runtime/loop/run-telemetry.js";
import type { RunLimits } from "./transcript-record.js";

/** How many messages both lists start with. The loop adds to the same messages, so their identity counts. */
export function sharedLength(
  before: readonly ModelMessage[],
  now: readonly ModelMessage[],
): number {
  let length = 0;
  while (length < before.length && before[length] === now[length]) length++;
  return length;
}

/** The limits of an evaluation as the transcript has them. */
export function limitsOf({ deadline, budget, maxTurns }: WatchedRun): RunLimits {
  const left = Object.entries(budget?.remaining() ?? {}).filter(([, each]) =>
    Number.isFinite(each),
  );
  return {
    ...(maxTurns !== undefined && { maxTurns }),
    ...(deadline !== undefined && { deadline: Date.now() + deadline.remainingMs() }),
    ...(left.length > 0 && { budget: Object.fromEntries(left) }),
  };
}
