import { showCommands } from "../terminal/command-name.js";
import type { Io } from "../terminal/io.js";
import { colorsFor } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";
import { count } from "../view/amounts.js";
import { changeLines, NEXT_COMMANDS } from "../view/change-lines.js";
import { leftOutLines } from "../view/left-out.js";
import type { RunAnswer, RunReport } from "./run-report.js";

/** Renders the answer, unless it was shown already, and the changed files, before the person is asked what to do with them. */
export function renderAnswer(io: Io, { output, changes }: RunAnswer, isShown = false): string {
  const lines = changeLines(changes, colorsFor(io));
  const answer = isShown && output !== "" ? [] : outputLines(output);
  const space = answer.length > 0 && lines.length > 0 ? [""] : [];
  return ["", ...answer, ...space, ...lines, ""].join("\n");
}

/** Renders where the changes are now, what to do next, and the cost of the run. */
export function renderEnd(
  io: Io,
  report: RunReport,
  given: { readonly log?: string; readonly store?: string } = {},
): string {
  const { workspace: directory, backend } = report;
  const { cyan: paint, dim } = colorsFor(io);
  const leftOut = leftOutLines(report.leftOut ?? [], colorsFor(io));
  const hidden = leftOut.length === 0 ? [] : [dim("Not shown to the agent:"), ...leftOut];
  // Only the log of a persistent workspace is found by its directory.
  const isFound = backend === "host" && given.log === undefined;
  const log = `Log:    \`wink log${nameOfLog(report, given)}\``;
  return [
    showCommands(io, whereabouts(report).join("\n"), { paint, directory }),
    showCommands(io, log, { paint, directory: isFound ? directory : undefined }),
    ...hidden,
    dim(usageLine(report)),
  ].join("\n");
}

function nameOfLog(
  { log }: RunReport,
  { log: directory, store }: { readonly log?: string; readonly store?: string },
): string {
  if (store !== undefined) {
    // A password must not be printed.
    const url = /:\/\/[^/]*:[^/]*@/.test(store) ? '"$WINK_STORE"' : "";
    return url === "" ? ` '${store}#${log}'` : ` ${url}'#${log}'`;
  }
  return directory === undefined ? "" : ` ${directory}`;
}

function outputLines(output: unknown): readonly string[] {
  const text = typeof output === "string" ? output : JSON.stringify(output, null, 2);
  return text === undefined || text === "" ? ["The agent gave no answer."] : [safeText(text)];
}

function whereabouts(report: RunReport): readonly string[] {
  const { kept, changes, workspace, backend, patchFile, line, conflicts } = report;
  const what = count(changes.length, "change");
  const was = changes.length === 1 ? "was" : "were";
  switch (kept) {
    case "none":
      return ["It changed no file."];
    case "applied":
      return [
        `${what} applied to ${workspace}.`,
        ...(backend === "host" ? ["Undo:   `wink undo`"] : []),
      ];
    case "line":
      return [
        `${what} kept apart as the line ${line}, because of ${count(conflicts.length, "conflict")} with the workspace:`,
        ...conflicts.map(({ path }) => `  ${safeText(path)}`),
        `Review: \`wink diff --line ${line}\``,
        `Apply:  \`wink apply --line ${line}\``,
      ];
    case "patch":
      return [`${what} in ${patchFile}; ${workspace} is unchanged.`];
    case "workspace":
      return [`${what} in the workspace; ${workspace} is unchanged.`, ...NEXT_COMMANDS];
    case "nowhere":
      return [
        `${what} ${was} discarded with the temporary copy; ${workspace} is unchanged.`,
        "Use --patch or --apply to keep the changes of a run.",
      ];
  }
}

function usageLine({ usage, model, finishReason }: RunReport): string {
  const { turns, toolCalls, inputTokens, outputTokens, cachedInputTokens, costUsd } = usage;
  return [
    model,
    finishReason === "completed" ? "completed" : `ended: ${finishReason}`,
    count(turns, "turn"),
    count(toolCalls, "call"),
    count(inputTokens + outputTokens, "token"),
    ...(cachedInputTokens === 0
      ? []
      : [`${Math.round((cachedInputTokens / inputTokens) * 100)} % of the input from the cache`]),
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(4)}`]),
  ].join(", ");
}
