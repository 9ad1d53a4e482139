import { Command } from "commander";
import type { Io } from "../terminal/io.js";
import { sayJson, wantsJson } from "../terminal/print.js";
import {
  lineOption,
  type WorkspaceOption,
  workspaceOption,
} from "../workspace/workspace-option.js";

export function diffCommand(io: Io): Command {
  return new Command("diff")
    .description("show the changes of agents as a patch for git apply")
    .argument("[path...]", "only these files, directories and globs")
    .addOption(workspaceOption())
    .addOption(lineOption())
    .addHelpText(
      "after",
      `
Examples:
  wink diff                       everything
  wink diff src README.md         some of it
  wink diff > changes.patch       to keep, or for git apply`,
    )
    .action(async (paths: readonly string[], options: WorkspaceOption, command: Command) => {
      const { withWorkspace } = await import("../workspace/with-workspace.js");
      const { printPatch } = await import("../workspace/print-patch.js");
      await withWorkspace(io, options, async (workspace) => {
        const { directory } = workspace;
        const chosen = paths.map((path) => workspace.pathOf(path, io.cwd));
        const changes = await workspace.changes(chosen.length > 0 ? { paths: chosen } : {});
        const patch = await changes.toPatch();
        if (wantsJson(command)) sayJson(io, { directory, files: changes.files, patch });
        else printPatch(io, patch);
      });
    });
}
