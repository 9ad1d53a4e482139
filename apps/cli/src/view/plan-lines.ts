import type { ToolResult } from "@wink/prompt";
import type { Plan, PlanStep } from "@wink/tools";
import type { Colors } from "../terminal/print.js";
import { oneLine } from "../terminal/terminal-text.js";
import { fieldsOf } from "./describe-call.js";

export interface PlanStyle {
  readonly colors: Colors;
  readonly width: number;
}

const MARKS: Readonly<Record<PlanStep["status"], string>> = {
  pending: "○",
  in_progress: "▸",
  completed: "●",
  skipped: "–",
};

/**
 * The plan in the result of a planning tool. The session also has it, but possibly under the token
 * of another copy of the package.
 */
export function planIn(toolName: string, result: ToolResult): Plan | undefined {
  if (!result.success || !toolName.includes("planning_")) return undefined;
  const { value } = result;
  const isPlan = typeof value === "object" && value !== null && "steps" in value;
  return isPlan && Array.isArray(value.steps) ? (value as Plan) : undefined;
}

/** One line per step. */
export function planLines({ steps }: Plan, style: PlanStyle): readonly string[] {
  return steps.map((step) => lineOf(step, style));
}

/** The step that a call was about. `undefined` if it was about the whole plan. */
export function stepLine({ steps }: Plan, input: unknown, style: PlanStyle): string | undefined {
  const stepId = fieldsOf(input)["step_id"];
  const step = steps.find(({ id }) => id === stepId);
  return step && lineOf(step, style);
}

function lineOf({ title, status }: PlanStep, { colors, width }: PlanStyle): string {
  const line = `${MARKS[status]} ${oneLine(title, width - 2)}`;
  return status === "in_progress" ? colors.cyan(line) : colors.dim(line);
}
