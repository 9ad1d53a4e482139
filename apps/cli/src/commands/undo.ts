import { Command } from "commander";
import type { Io } from "../terminal/io.js";
import { wantsJson } from "../terminal/print.js";
import { type WorkspaceOption, workspaceOption } from "../workspace/workspace-option.js";

type UndoOptions = WorkspaceOption & { readonly yes?: boolean };

export function undoCommand(io: Io): Command {
  return new Command("undo")
    .description("undo the last wink apply")
    .argument("[path...]", "only these files, directories and globs of the apply")
    .addOption(workspaceOption())
    .option("-y, --yes", "do not ask")
    .addHelpText(
      "after",
      `
Restores the files, unless you have changed one since: then nothing is done and
the file is named. The changes are in the workspace again. The last 20 applies
can be undone, newest first, including calls of wink mcp --in-place.

Examples:
  wink undo           shows what it would undo, and asks
  wink undo src       a part of it
  wink undo --yes     in a script`,
    )
    .action(async (paths: readonly string[], options: UndoOptions, command: Command) => {
      const { withWorkspace } = await import("../workspace/with-workspace.js");
      const { undoApply } = await import("../workspace/undo-apply.js");
      await withWorkspace(io, options, (workspace) =>
        undoApply(io, workspace, { yes: options.yes ?? false, json: wantsJson(command), paths }),
      );
    });
}
