import type { RunUsage } from "@wink/prompt";
import { UsageCount } from "../runtime/loop/usage-count.js";
import { didCallRun } from "../transcript/did-call-run.js";
import type { RunLimits, TranscriptEntry } from "../transcript/transcript-record.js";

/** What the evaluations used up to an event. */
export interface BudgetAt {
  readonly usage: RunUsage;
  /** The limits of the evaluation in progress at that event. */
  readonly limits: RunLimits;
}

export function budgetAt(records: readonly TranscriptEntry[], sequence: number): BudgetAt {
  const count = new UsageCount(undefined, undefined);
  const counted = new Set<string>();
  let limits: RunLimits = {};
  for (const record of records) {
    if (record.sequence > sequence) break;
    if (record.kind === "run") limits = record.limits;
    if (record.kind === "turn") count.addTurn(record.usage);
    if (record.kind === "outcome" && didCallRun(record)) {
      const call = `${record.run}/${record.turn}/${record.call}`;
      if (!counted.has(call)) count.addToolCall();
      counted.add(call);
    }
  }
  return { usage: count.total, limits };
}
