import { showCommands } from "../terminal/command-name.js";
import type { Io } from "../terminal/io.js";
import { colorsFor } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";
import { count } from "../view/amounts.js";
import { changeLines } from "../view/change-lines.js";
import type { RunAnswer, RunReport } from "./run-report.js";

/** Renders the answer and the changed files, before the person is asked what to do with them. */
export function renderAnswer(io: Io, { output, changes }: RunAnswer): string {
  const lines = changeLines(changes, colorsFor(io));
  return ["", ...outputLines(output), ...(lines.length === 0 ? [] : ["", ...lines]), ""].join("\n");
}

/** Renders where the changes are now, and the cost of the run. */
export function renderEnd(io: Io, report: RunReport): string {
  const colors = colorsFor(io);
  const paint = colors.cyan;
  const where = showCommands(io, whereabouts(report), { directory: report.workspace, paint });
  return `${where}\n${colors.dim(usageLine(report))}`;
}

function outputLines(output: unknown): readonly string[] {
  const text = typeof output === "string" ? output : JSON.stringify(output, null, 2);
  return text === undefined || text === "" ? ["The agent gave no answer."] : [safeText(text)];
}

function whereabouts(report: RunReport): string {
  const { kept, changes, workspace, backend, patchFile } = report;
  const what = count(changes.length, "change");
  switch (kept) {
    case "none":
      return "It changed no file.";
    case "applied":
      return `${what} applied to ${workspace}.${backend === "host" ? "\nUndo it with `wink undo`." : ""}`;
    case "patch":
      return `${what} in ${patchFile}; ${workspace} is unchanged.`;
    case "workspace":
      return `${what} in the workspace; ${workspace} is unchanged.\nReview: \`wink diff\`\nApply:  \`wink apply\``;
    case "nowhere":
      return `${what} discarded with the temporary copy; ${workspace} is unchanged.\nUse --patch or --apply to keep them.`;
  }
}

function usageLine({ usage, model, finishReason, log }: RunReport): string {
  const { turns, toolCalls, inputTokens, outputTokens, costUsd } = usage;
  const parts = [
    model,
    finishReason === "completed" ? "completed" : `ended: ${finishReason}`,
    count(turns, "turn"),
    count(toolCalls, "call"),
    `${count(inputTokens + outputTokens, "token")}`,
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(4)}`]),
  ];
  return `${parts.join(", ")}${log === null ? "" : `\nlog: ${log}`}`;
}
