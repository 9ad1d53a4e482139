import { Command } from "commander";
import { showCommands } from "../terminal/command-name.js";
import type { Io } from "../terminal/io.js";
import { answer, colorsFor, wantsJson } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { changeLines, NEXT_COMMANDS } from "../view/change-lines.js";
import { leftOutLines } from "../view/left-out.js";
import {
  lineOption,
  type WorkspaceOption,
  workspaceOption,
} from "../workspace/workspace-option.js";

interface ChangesOptions {
  readonly notCopied?: boolean | undefined;
  readonly discard?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

export function changesCommand(io: Io): Command {
  return new Command("changes")
    .description("list the changes of agents in the workspace of a directory")
    .addOption(workspaceOption())
    .addOption(lineOption())
    .option("--not-copied", "list the files of the directory that agents do not see, and why")
    .option("--discard", "discard them: the workspace becomes a copy of the directory again")
    .option("-y, --yes", "do not ask")
    .addHelpText(
      "after",
      `
Agents work on a copy. This lists their changes since the copy or the last
wink apply: A added, M modified, D deleted, R renamed.

Examples:
  wink changes              in the current directory
  wink changes --not-copied what was left out of the copy
  wink changes --json       for programs`,
    )
    .action(async (options: WorkspaceOption & ChangesOptions, command: Command) => {
      const { withWorkspace } = await import("../workspace/with-workspace.js");
      const { discardChanges } = await import("../workspace/discard-changes.js");
      await withWorkspace(io, options, async (workspace) => {
        if (options.discard) {
          const yes = options.yes ?? false;
          return await discardChanges(io, workspace, { yes, json: wantsJson(command), paths: [] });
        }
        const { files } = await workspace.changes();
        const { directory, applied } = workspace;
        const [leftOut, lines] = [workspace.leftOut(), workspace.lines.list()];
        const value = { directory, files, leftOut, lines, undoable: applied.length };
        answer(io, command, value, () =>
          options.notCopied ? leftOutLines(leftOut, colorsFor(io)).join("\n") : render(io, value),
        );
      });
    });
}

function render(
  io: Io,
  {
    directory,
    files,
    lines,
  }: {
    readonly directory: string;
    readonly files: Parameters<typeof changeLines>[0];
    readonly lines: readonly string[];
  },
): string {
  const colors = colorsFor(io);
  const apart = lines.map((line) =>
    showCommands(io, `Kept apart: \`wink changes --line ${line}\``, {
      directory,
      paint: colors.cyan,
    }),
  );
  if (files.length === 0)
    return [`No changes in the workspace of ${directory}.`, ...apart].join("\n");
  return [
    `${count(files.length, "change")} in the workspace of ${directory}:`,
    "",
    ...changeLines(files, colors).map((line) => `  ${line}`),
    "",
    showCommands(io, NEXT_COMMANDS.join("\n"), {
      directory,
      paint: colors.cyan,
    }),
    ...apart,
  ].join("\n");
}
