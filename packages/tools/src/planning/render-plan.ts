import { checkOptions, invalidOption } from "../error/check-options.js";
import { oneLine } from "../reply/quote.js";
import { isOver, type Plan, PlanSchema, type StepStatus } from "./plan.js";

const MARKS: Record<StepStatus, string> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  skipped: "[-]",
};

const MAX_LINE_CHARACTERS = 1_000;

/** Renders the plan as text: the objective, each step with its mark and id, and the progress. */
export function renderPlan(
  plan: Plan,
  options: {
    /** Whether to show the details of each step below it. @default true */
    readonly details?: boolean | undefined;
  } = {},
): string {
  checkOptions("renderPlan", options, { details: "boolean" });
  const { details = true } = options;
  const [problem] = PlanSchema.safeParse(plan).error?.issues ?? [];
  if (problem !== undefined)
    throw invalidOption(
      `renderPlan: ${["plan", ...problem.path].join(".")}`,
      problem.message.replace(/^Invalid input: /, ""),
    );
  const { objective, steps, status } = plan;
  const done = steps.filter(isOver).length;
  const lines = steps.flatMap((step) => [
    `${MARKS[step.status]} ${step.id} ${oneLine(step.title, MAX_LINE_CHARACTERS)}`,
    ...(details && step.details !== ""
      ? step.details.split("\n").map((line) => `      ${oneLine(line, MAX_LINE_CHARACTERS)}`)
      : []),
  ]);
  return [
    ...(objective === "" ? [] : [`Objective: ${oneLine(objective, MAX_LINE_CHARACTERS)}`]),
    ...lines,
    steps.length === 0
      ? "No steps yet."
      : `${done} of ${steps.length} done${status === "completed" ? ": the plan is completed" : ""}.`,
  ].join("\n");
}
