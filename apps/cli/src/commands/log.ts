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
    .argument("[file]", "a log (default: that of the last run on --workspace)")
    .option("--at <number>", "show the plan and the files after this event", eventNumber)
    .option("--diff", "show the changes until then, or until the end, as a patch")
    .option("--all", "show every event, also those that repeat another line")
    .addOption(workspaceOption())
    .addHelpText(
      "after",
      `
Each line has the number of its event, for --at, and the seconds since the first
one. ↩ marks a rollback. --diff repeats the changes on the original directory:
it must be as at the start of the run. A log does not contain changes by
commands in a container.

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
