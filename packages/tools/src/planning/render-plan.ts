import { oneLine } from "../reply/quote.js";
import { isOver, type Plan, type StepStatus } from "./plan.js";

const MARKS: Record<StepStatus, string> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  skipped: "[-]",
};

export interface RenderPlanOptions {
  /** Whether each step's details stand below it. @default true */
  readonly details?: boolean | undefined;
}

const LONGEST_LINE = 1_000;

/** The plan as text for people: the objective, each step with its mark and id, and how far it is. */
export function renderPlan(plan: Plan, { details = true }: RenderPlanOptions = {}): string {
  const { objective, steps, status } = plan;
  const done = steps.filter(isOver).length;
  const lines = steps.flatMap((step) => [
    `${MARKS[step.status]} ${step.id} ${oneLine(step.title, LONGEST_LINE)}`,
    ...(details && step.details !== ""
      ? step.details.split("\n").map((line) => `      ${oneLine(line, LONGEST_LINE)}`)
      : []),
  ]);
  return [
    ...(objective === "" ? [] : [`Objective: ${oneLine(objective, LONGEST_LINE)}`]),
    ...lines,
    steps.length === 0
      ? "There are no steps yet."
      : `${done} of ${steps.length} done${status === "completed" ? ": the plan is completed" : ""}.`,
  ].join("\n");
}
