import { Budget, type BudgetLimits } from "@wink/prompt";
import { invalid } from "../context/require-options.js";

/** The limits that a subagent gets a part of. */
export const SHARED = ["tokens", "costUsd", "toolCalls", "bytesWritten"] as const;

/**
 * Opens a budget that also counts towards `parent`. Close it when the subagent is done.
 * `undefined` if nothing limits the subagent. Throws `BUDGET_EXHAUSTED` if the parent has less
 * left than the limits.
 */
export function openBudget(
  parent: Budget | undefined,
  wanted: number | BudgetLimits,
): Budget | undefined {
  if (parent === undefined) return typeof wanted === "number" ? undefined : new Budget(wanted);
  return parent.child(typeof wanted === "number" ? partOf(parent, wanted) : wanted);
}

/** Throws at the definition of a tool for a budget that no call could have. */
export function requireShare(wanted: number | BudgetLimits | undefined): void {
  if (typeof wanted === "number") partOf(new Budget({}), wanted);
  else if (wanted !== undefined) new Budget(wanted);
}

function partOf(parent: Budget, share: number): BudgetLimits {
  if (!(share >= 0 && share <= 1))
    throw invalid("budget", `a fraction must be a number from 0 to 1, got ${share}.`);
  const left = parent.remaining();
  const limits: Record<string, number> = {};
  for (const name of SHARED) {
    // If the parent has no limit, the subagent has none either. `wallMs` is not split, because
    // time passes for both.
    if (left[name] === Number.POSITIVE_INFINITY) continue;
    limits[name] = name === "costUsd" ? left[name] * share : Math.floor(left[name] * share);
  }
  return limits;
}
