import type { Io } from "../io.js";
import { type Colors, colorsFor } from "../print.js";
import { count } from "../view/amounts.js";
import { changeLines } from "../view/change-lines.js";
import { safeText } from "../view/terminal-text.js";
import type { RunReport } from "./run-report.js";

/** A run's end for a person: what the agent answered, what it changed, and where that is now. */
export function renderReport(io: Io, report: RunReport): string {
  const colors = colorsFor(io);
  return [
    "",
    ...outputLines(report),
    "",
    ...changeLines(report.changes, colors),
    ...(report.changes.length === 0 ? [] : [""]),
    `${whereabouts(report, colors)}`,
    colors.dim(usageLine(report)),
  ].join("\n");
}

function outputLines({ output }: RunReport): readonly string[] {
  const text = typeof output === "string" ? output : JSON.stringify(output, null, 2);
  return text === undefined || text === ""
    ? ["The agent said nothing at the end."]
    : [safeText(text)];
}

function whereabouts({ kept, changes, workspace, patchFile }: RunReport, colors: Colors): string {
  const what = count(changes.length, "change");
  switch (kept) {
    case "none":
      return "It changed no file.";
    case "applied":
      return `${what} applied to ${workspace}. Take it back with ${colors.cyan("wink undo")}.`;
    case "patch":
      return `${what} in ${patchFile}; ${workspace} is as it was.`;
    case "workspace":
      return `${what} kept in the workspace; ${workspace} is as it was. See ${colors.cyan("wink diff")}, then ${colors.cyan("wink apply")}.`;
    case "nowhere":
      return `${what} given up with the memory they were in; ${workspace} is as it was. Use --patch or --apply.`;
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
