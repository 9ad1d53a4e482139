import { Command } from "commander";
import type { Io } from "../terminal/io.js";
import { wantsJson } from "../terminal/print.js";
import { type WorkspaceOption, workspaceOption } from "../workspace/workspace-option.js";

export function undoCommand(io: Io): Command {
  return new Command("undo")
    .description("take back what wink apply wrote last")
    .addOption(workspaceOption())
    .option("-y, --yes", "do not ask")
    .addHelpText(
      "after",
      `
Files are put back as they were, unless you have changed one since: then nothing
is done and the file is named. The changes are in the workspace again. The last
20 can be taken back, the last one first; so can what wink mcp --in-place wrote.

  wink undo           says what it would take back, and asks
  wink undo --yes     in a script`,
    )
    .action(async (options: WorkspaceOption & { readonly yes?: boolean }, command: Command) => {
      const { withWorkspace } = await import("../workspace/with-workspace.js");
      const { undoApply } = await import("../workspace/undo-apply.js");
      await withWorkspace(io, options, (workspace) =>
        undoApply(io, workspace, { yes: options.yes ?? false, json: wantsJson(command) }),
      );
    });
}
