import { Budget, type BudgetLimits } from "@wink/prompt";

/** What a subagent may use: a part of what its parent has left, from 0 to 1, or limits of its own. */
export type SubagentBudget = number | BudgetLimits;

const SHARED = ["tokens", "costUsd", "toolCalls", "bytesWritten"] as const;

/**
 * A budget that counts in `parent`; close it when the subagent is done. `undefined` when nothing limits it.
 * Throws `budget_exhausted` when the parent has less left than the limits.
 */
export function openBudget(parent: Budget | undefined, wanted: SubagentBudget): Budget | undefined {
  if (parent === undefined) return typeof wanted === "number" ? undefined : new Budget(wanted);
  return parent.child(typeof wanted === "number" ? partOf(parent, wanted) : wanted);
}

function partOf(parent: Budget, share: number): BudgetLimits {
  if (!(share >= 0 && share <= 1))
    throw new RangeError(`A part of a budget is a number from 0 to 1, not ${share}.`);
  const left = parent.remaining();
  const limits: Record<string, number> = {};
  for (const name of SHARED) {
    // What the parent has no limit for, the subagent has none for either. Time passes for both at once.
    if (left[name] === Number.POSITIVE_INFINITY) continue;
    limits[name] = name === "costUsd" ? left[name] * share : Math.floor(left[name] * share);
  }
  return limits;
}
