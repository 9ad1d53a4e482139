import type { Workspace } from "@wink/workspace";
import { Command } from "commander";
import type { PruneChoice } from "../snapshots/choose-prunable.js";
import type { Io } from "../terminal/io.js";
import { wantsJson } from "../terminal/print.js";
import { type WorkspaceOption, workspaceOption } from "../workspace/workspace-option.js";

type Handlers = typeof import("../snapshots/snapshot-commands.js");
type Options = WorkspaceOption &
  PruneChoice & { readonly yes?: boolean; readonly repository?: boolean };

export function snapshotsCommand(io: Io): Command {
  /** Opens the workspace and passes on what every subcommand needs. */
  const run = async (
    command: Command,
    work: (
      handlers: Handlers,
      workspace: Workspace,
      given: { readonly json: boolean; readonly yes: boolean },
    ) => Promise<void>,
  ) => {
    const options = command.opts<Options>();
    const { withWorkspace } = await import("../workspace/with-workspace.js");
    const handlers = await import("../snapshots/snapshot-commands.js");
    const given = { json: wantsJson(command), yes: options.yes ?? false };
    await withWorkspace(io, options, (workspace) => work(handlers, workspace, given));
  };
  const snapshots = new Command("snapshots")
    .description("list, compare, restore and delete snapshots of a workspace")
    .addHelpText(
      "after",
      `
Snapshots are of the workspace. These commands never change your directory.

Examples:
  wink snapshots                        list them
  wink snapshots diff before-refactor   changes since then
  wink snapshots restore before-refactor`,
    );
  snapshots
    .command("list", { isDefault: true })
    .description("list them, the newest first")
    .addHelpText(
      "after",
      "\nExamples:\n  wink snapshots list --json\n  wink snapshots --repository",
    )
    .addOption(workspaceOption())
    .option("--repository", "those in the directory's git repository, refs/sandbox/snapshots")
    .action((options: Options, command: Command) =>
      run(command, (handlers, workspace, given) =>
        handlers.listSnapshots(io, workspace, { ...given, repository: options.repository }),
      ),
    );
  snapshots
    .command("verify")
    .description("check the store with git fsck")
    .addHelpText("after", "\nExamples:\n  wink snapshots verify")
    .addOption(workspaceOption())
    .action((_: Options, command: Command) =>
      run(command, (handlers, workspace, given) => handlers.verifySnapshots(io, workspace, given)),
    );
  snapshots
    .command("export")
    .description("write all snapshots into one file, which git clone and git fetch can read")
    .addHelpText("after", "\nExamples:\n  wink snapshots export --bundle snapshots.bundle")
    .requiredOption("--bundle <file>", "the file to write")
    .addOption(workspaceOption())
    .action((options: Options & { readonly bundle: string }, command: Command) =>
      run(command, (handlers, workspace, given) =>
        handlers.exportSnapshots(io, workspace, { ...given, bundle: options.bundle }),
      ),
    );
  snapshots
    .command("diff")
    .description("show what changed since a snapshot, as a patch")
    .addHelpText(
      "after",
      "\nExamples:\n  wink snapshots diff first\n  wink snapshots diff first second",
    )
    .argument("<name>", "a name, or the start of an id")
    .argument("[other]", "a later snapshot (default: the current files)")
    .addOption(workspaceOption())
    .action((from: string, to: string | undefined, _: Options, command: Command) =>
      run(command, (handlers, workspace, given) =>
        handlers.diffSnapshots(io, workspace, { ...given, from, to }),
      ),
    );
  snapshots
    .command("restore")
    .description("restore a snapshot in the workspace; your directory does not change")
    .addHelpText(
      "after",
      "\nThe previous state is saved as the snapshot before-restore.\n\nExamples:\n  wink snapshots restore first",
    )
    .argument("<name>", "a name, or the start of an id")
    .addOption(workspaceOption())
    .option("-y, --yes", "do not ask")
    .action((name: string, _: Options, command: Command) =>
      run(command, (handlers, workspace, given) =>
        handlers.restoreSnapshot(io, workspace, { ...given, name }),
      ),
    );
  snapshots
    .command("prune")
    .description("delete snapshots, the oldest first")
    .addHelpText(
      "after",
      "\nExamples:\n  wink snapshots prune --keep 10\n  wink snapshots prune --older-than 30d --yes",
    )
    .option("--keep <count>", "keep this number of the newest")
    .option("--older-than <age>", "only older ones, such as 90m, 12h, 30d or 2w")
    .option("--all", "all of them")
    .addOption(workspaceOption())
    .option("-y, --yes", "do not ask")
    .action((options: Options, command: Command) =>
      run(command, (handlers, workspace, given) =>
        handlers.pruneSnapshots(io, workspace, { ...options, ...given }),
      ),
    );
  return snapshots;
}
