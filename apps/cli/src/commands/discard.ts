import { Command } from "commander";
import type { Io } from "../terminal/io.js";
import { wantsJson } from "../terminal/print.js";
import {
  lineOption,
  type WorkspaceOption,
  workspaceOption,
} from "../workspace/workspace-option.js";

type DiscardOptions = WorkspaceOption & { readonly yes?: boolean };

export function discardCommand(io: Io): Command {
  return new Command("discard")
    .description("discard changes of agents; your directory does not change")
    .argument("[path...]", "only these files, directories and globs (default: everything)")
    .addOption(workspaceOption())
    .addOption(lineOption())
    .option("-y, --yes", "do not ask")
    .addHelpText(
      "after",
      `
The previous state is saved as the snapshot before-discard.

Examples:
  wink discard src/a.ts 'test/**'    some changes
  wink discard                       all of them
  wink discard --line <name>         a result that was kept apart, with the line`,
    )
    .action(async (paths: readonly string[], options: DiscardOptions, command: Command) => {
      const { withWorkspace, directoryOf } = await import("../workspace/with-workspace.js");
      const given = { yes: options.yes ?? false, json: wantsJson(command), paths };
      const { line } = options;
      if (line !== undefined && paths.length === 0) {
        const { discardLine } = await import("../workspace/discard-line.js");
        await discardLine(io, directoryOf(io, options), { ...given, line });
        return;
      }
      const { discardChanges } = await import("../workspace/discard-changes.js");
      await withWorkspace(io, options, (workspace) => discardChanges(io, workspace, given));
    });
}
