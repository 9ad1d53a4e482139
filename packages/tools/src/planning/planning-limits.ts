import { fail, type ToolFailure } from "@wink/prompt";
import { count } from "../reply/count.js";

/** Limits that make the plan fit into every prompt and answer that shows it. */
export const DEFAULT_PLANNING_LIMITS = Object.freeze({
  maxSteps: 50,
  maxTitleCharacters: 200,
  maxDetailsCharacters: 600,
  maxObjectiveCharacters: 2_000,
});

export type PlanningLimits = Readonly<Record<keyof typeof DEFAULT_PLANNING_LIMITS, number>>;

interface Texts {
  readonly objective?: string | undefined;
  readonly title?: string | undefined;
  readonly details?: string | undefined;
}

/** Returns a failure if a text is empty or too long. */
export function checkTexts(
  { objective, title, details }: Texts,
  { maxTitleCharacters, maxDetailsCharacters, maxObjectiveCharacters }: PlanningLimits,
): ToolFailure | undefined {
  if (title !== undefined && title.trim() === "") return fail("A step needs a title.");
  return (
    checkLength("The title", title, maxTitleCharacters) ??
    checkLength("The details", details, maxDetailsCharacters) ??
    checkLength("The objective", objective, maxObjectiveCharacters)
  );
}

function checkLength(what: string, text: string | undefined, most: number) {
  if (text === undefined || (text.length <= most && text.isWellFormed())) return undefined;
  if (!text.isWellFormed()) return fail(`${what} must be well-formed text.`);
  const verb = what.endsWith("s") ? "have" : "has";
  return fail(`${what} ${verb} ${count(text.length, "character")}, and may have at most ${most}.`);
}

export function checkStepCount(
  steps: number,
  { maxSteps }: PlanningLimits,
): ToolFailure | undefined {
  if (steps <= maxSteps) return undefined;
  return fail(`That would be ${steps} steps, and a plan has at most ${maxSteps}.`, {
    hint: "Plan in larger steps, and put the small ones into their details.",
  });
}
