import type { Plan, StepStatus } from "@wink/tools";
import type { Colors } from "../print.js";
import { oneLine } from "./terminal-text.js";

const MARKS: Readonly<Record<StepStatus, string>> = {
  pending: "○",
  in_progress: "▸",
  completed: "●",
  skipped: "–",
};

/** A plan for a terminal: a line for each step. */
export function planLines(
  { steps }: Plan,
  { colors, width }: { readonly colors: Colors; readonly width: number },
): readonly string[] {
  return steps.map(({ title, status }) => {
    const line = `${MARKS[status]} ${oneLine(title, width - 2)}`;
    return status === "in_progress" ? colors.cyan(line) : colors.dim(line);
  });
}
