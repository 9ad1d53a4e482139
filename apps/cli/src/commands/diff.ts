import { Command } from "commander";
import type { Io } from "../terminal/io.js";
import { sayJson, wantsJson } from "../terminal/print.js";
import { type WorkspaceOption, workspaceOption } from "../workspace/workspace-option.js";

export function diffCommand(io: Io): Command {
  return new Command("diff")
    .description("show the changes of agents as a patch for git apply")
    .argument("[path...]", "only these files and directories")
    .addOption(workspaceOption())
    .addHelpText(
      "after",
      `
  wink diff                       everything
  wink diff src README.md         some of it
  wink diff > changes.patch       to keep, or for git apply`,
    )
    .action(async (paths: readonly string[], options: WorkspaceOption, command: Command) => {
      const { withWorkspace } = await import("../workspace/with-workspace.js");
      const { selectChanges } = await import("../workspace/select-changes.js");
      const { printPatch } = await import("../workspace/print-patch.js");
      await withWorkspace(io, options, async (workspace) => {
        const { directory } = workspace;
        const selected = await selectChanges(await workspace.changes(), {
          paths,
          cwd: io.cwd,
          directory,
        });
        if (wantsJson(command)) sayJson(io, { directory, ...selected });
        else printPatch(io, selected.patch);
      });
    });
}
