import { Command } from "commander";
import type { Io } from "../io.js";
import { answer, colorsFor } from "../print.js";
import { count } from "../view/amounts.js";
import { changeLines } from "../view/change-lines.js";
import { type WorkspaceOption, workspaceOption } from "../workspace/workspace-option.js";

export function changesCommand(io: Io): Command {
  return new Command("changes")
    .description("list what agents changed in the workspace of a directory")
    .addOption(workspaceOption())
    .addHelpText(
      "after",
      `
Agents work on a copy. What they changed since it was made, or since the last
wink apply, is listed here: A added, M modified, D deleted, R renamed.

  wink changes              in the current directory
  wink changes --json       for programs`,
    )
    .action(async (options: WorkspaceOption, command: Command) => {
      const { withWorkspace } = await import("../workspace/with-workspace.js");
      await withWorkspace(io, options, async (workspace) => {
        const { files } = await workspace.changes();
        const { mounted, applied } = await workspace.record();
        const { directory } = workspace;
        const leftOut = mounted?.leftOut ?? [];
        const value = { directory, files, leftOut, undoable: applied.length };
        answer(io, command, value, () => render(io, value));
      });
    });
}

function render(
  io: Io,
  {
    directory,
    files,
  }: { readonly directory: string; readonly files: Parameters<typeof changeLines>[0] },
): string {
  const colors = colorsFor(io);
  if (files.length === 0) return `No changes in the workspace of ${directory}.`;
  return [
    `${count(files.length, "change")} in the workspace of ${directory}:`,
    "",
    ...changeLines(files, colors).map((line) => `  ${line}`),
    "",
    `See them with ${colors.cyan("wink diff")}, write them to the directory with ${colors.cyan("wink apply")}.`,
  ].join("\n");
}
