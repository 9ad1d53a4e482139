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
    .description("show a run as a timeline, or its state after one event")
    .argument("[run]", "the directory of a run, or a log (default: the last run on --workspace)")
    .option("--at <number>", "show the plan and the files after this event", eventNumber)
    .option("--diff", "show the changes until then, or until the end, as a patch")
    .option("--all", "show every event, also those that repeat another line")
    .addOption(workspaceOption())
    .addHelpText(
      "after",
      `
Each line has the number of its event, for --at, and the seconds since the first
one. ↩ marks a rollback. --diff compares stored states, so it also shows
changes by commands. For a log of an earlier version it repeats the events on
the original directory, which must be as at the start of the run.

Examples:
  wink log
  wink log runs/one --at 12
  wink log --at 12 --diff
  wink log runs/one --json | jq '.events[] | select(.rolledBack != null)'`,
    )
    .action(async (file: string | undefined, options: LogOptions, command: Command) => {
      const { findLog } = await import("../log/find-log.js");
      const { showDiff, showState, showTimeline } = await import("../log/show-log.js");
      const { at, all = false } = options;
      const { directoryOf } = await import("../workspace/with-workspace.js");
      const directory = directoryOf(io, options);
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
