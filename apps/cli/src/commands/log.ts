import { Command, InvalidArgumentError } from "commander";
import type { Io } from "../terminal/io.js";
import { type WorkspaceOption, workspaceOption } from "../workspace/workspace-option.js";

interface LogOptions extends WorkspaceOption {
  readonly at?: number;
  readonly all?: true;
  readonly diff?: true;
}

export function logCommand(io: Io): Command {
  return new Command("log")
    .description("show a run as a timeline, or what it knew after one event")
    .argument("[file]", "a log; without it, that of the last run on --workspace")
    .option("--at <number>", "show plan and files as they were after this event", eventNumber)
    .option("--diff", "show what the run had changed by then, or at its end, as a patch")
    .option("--all", "show every event, also what another line says already")
    .addOption(workspaceOption())
    .addHelpText(
      "after",
      `
Each line has the number of its event, for --at, and the seconds since the first
one. ↩ marks what was undone. --diff makes the changes again on what the run
began with, so the directory must be as it was then; what commands in a
container changed is not in a log.

Examples:
  $ wink log
  $ wink log run.jsonl --at 12
  $ wink log --at 12 --diff
  $ wink log run.jsonl --json | jq '.events[] | select(.rolledBack != null)'`,
    )
    .action(async (file: string | undefined, options: LogOptions, command: Command) => {
      const { findLog } = await import("../log/find-log.js");
      const { showDiff, showState, showTimeline } = await import("../log/show-log.js");
      const { at, all = false } = options;
      const { directoryOf } = await import("../workspace/with-workspace.js");
      const directory = await directoryOf(io, options);
      const path = await findLog(io, file, directory);
      if (options.diff) await showDiff(io, command, path, { at, directory });
      else if (at !== undefined) await showState(io, command, path, at);
      else await showTimeline(io, command, path, { all });
    });
}

function eventNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It takes the number of an event.");
}
