import { Command, Option } from "commander";
import type { Io } from "../terminal/io.js";
import { wantsJson } from "../terminal/print.js";
import type { ApplyCommandOptions } from "../workspace/apply-changes.js";
import {
  lineOption,
  type WorkspaceOption,
  workspaceOption,
} from "../workspace/workspace-option.js";

type ApplyOptions = WorkspaceOption &
  ApplyCommandOptions & { readonly branch?: string; readonly message?: string };

export function applyCommand(io: Io): Command {
  return new Command("apply")
    .description("write the changes of agents to the directory: all or none")
    .argument("[path...]", "only these files, directories and globs")
    .addOption(workspaceOption())
    .addOption(lineOption())
    .option("-i, --interactive", "choose the changes one by one")
    .addOption(
      new Option("--on-conflict <how>", "what to do if a file also changed in the directory")
        .choices(["refuse", "merge"])
        .default("refuse"),
    )
    .option(
      "--branch <name>",
      "commit the changes to this branch instead, without touching the directory",
    )
    .option("--message <text>", "the message of the commit, with --branch")
    .option("-n, --dry-run", "only show what would be done, including conflicts")
    .option("-y, --yes", "do not ask")
    .addHelpText(
      "after",
      `
If you changed a file since it was copied, nothing is written and the file is
named. With --on-conflict merge, changes of different lines are combined.
wink undo undoes the last apply.

Examples:
  wink apply                            shows the changes, and asks
  wink apply src/a.ts 'test/**'         some of them; the others stay
  wink apply --interactive              asks for each group of changed lines
  wink apply --dry-run                  shows whether it would work
  wink apply --yes --on-conflict merge  in a script
  wink apply --branch fix/median        as a commit; your files do not change`,
    )
    .action(async (paths: readonly string[], options: ApplyOptions, command: Command) => {
      const { withWorkspace } = await import("../workspace/with-workspace.js");
      const { branch, message, onConflict } = options;
      if (branch !== undefined) {
        const { commitChanges } = await import("../workspace/commit-changes.js");
        const given = { branch, message, onConflict, json: wantsJson(command) };
        await withWorkspace(io, options, (workspace) => commitChanges(io, workspace, given));
        return;
      }
      const { applyChanges } = await import("../workspace/apply-changes.js");
      await withWorkspace(io, options, (workspace) =>
        applyChanges(io, workspace, { ...options, paths, json: wantsJson(command) }),
      );
    });
}
