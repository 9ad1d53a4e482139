import { Command, InvalidArgumentError, Option } from "commander";
import type { ImportOptions } from "../run/import-stored-files.js";
import { interruptible } from "../run/interruptible.js";
import type { PruneOptions } from "../run/stored-runs.js";
import type { Io } from "../terminal/io.js";
import { answer } from "../terminal/print.js";

interface StoreOption {
  readonly store: string;
}

/** The store that a command works on. The URL may have a password, so it can also be in the environment. */
function storeOption(io: Io): Option {
  const option = new Option("--store <url>", "the store: sqlite:, postgres:, redis: or s3:");
  const { WINK_STORE: known } = io.env;
  return known === undefined ? option.makeOptionMandatory() : option.default(known, "WINK_STORE");
}

/** The commands about the runs of a store. */
export function storedRunCommands(io: Io): readonly Command[] {
  const list = new Command("list")
    .description("list the runs of a store, the newest first")
    .addOption(storeOption(io))
    .addOption(
      new Option("--limit <count>", "show only this number of runs")
        .argParser(wholeNumber)
        .default(50),
    )
    .addHelpText("after", "\nExamples:\n  wink runs list --store sqlite:./runs.db")
    .action(async (options: StoreOption & { readonly limit: number }, command: Command) => {
      const { listRuns, renderRuns } = await import("../run/list-stored-runs.js");
      const list = await listRuns(io, options.store, options.limit);
      answer(io, command, list, () => renderRuns(io, list));
    });
  const show = new Command("show")
    .description("show the agent, model and counts of a run")
    .argument("<id>", "the id of the run")
    .addOption(storeOption(io))
    .addHelpText("after", "\nExamples:\n  wink runs show review-42 --store sqlite:./runs.db")
    .action(async (id: string, options: StoreOption, command: Command) => {
      const { renderRun, showRun } = await import("../run/stored-runs.js");
      const run = await showRun(io, options.store, id);
      answer(io, command, run, () => renderRun(run));
    });
  const remove = new Command("delete")
    .description("delete runs of a store")
    .argument("<ids...>", "the ids of the runs")
    .addOption(storeOption(io))
    .addHelpText("after", "\nExamples:\n  wink runs delete review-42 --store sqlite:./runs.db")
    .action(async (ids: readonly string[], options: StoreOption, command: Command) => {
      const { deleteRuns } = await import("../run/stored-runs.js");
      const deleted = await deleteRuns(io, options.store, ids);
      answer(io, command, { deleted }, () => `Deleted ${deleted.join(", ")}.`);
    });
  const prune = new Command("prune")
    .description("delete old runs of a store; a run that a process has open is kept")
    .addOption(storeOption(io))
    .option("--older-than <days>", "delete runs that did not change in this time", days)
    .option("--keep <count>", "keep only this number of runs, the newest", wholeNumber)
    .option("--max-bytes <bytes>", "keep the newest runs up to this size", wholeNumber)
    .option("--dry-run", "only say what would be deleted")
    .addHelpText(
      "after",
      "\nExamples:\n  wink runs prune --older-than 30 --keep 100 --store sqlite:./runs.db",
    )
    .action(async (options: PruneOptions, command: Command) => {
      const { pruneRuns, renderPruned } = await import("../run/stored-runs.js");
      const report = await pruneRuns(io, options);
      answer(io, command, report, () => renderPruned(report, options.dryRun));
    });
  return [list, show, remove, prune, importCommand(io)];
}

function importCommand(io: Io): Command {
  return new Command("import")
    .description("copy a directory into a store once, so that runs can start with its files")
    .argument("<id>", "the name of the files, for wink run --base")
    .option("-w, --workspace <dir>", "the directory to copy", ".")
    .option("--rev <rev>", "copy this git revision of the directory")
    .option("--include-secrets", "copy files that look like secrets too")
    .option("--include-ignored", "copy files that .gitignore ignores too")
    .addOption(storeOption(io))
    .addHelpText(
      "after",
      `
Examples:
  wink runs import shop -w ../shop --store sqlite:./runs.db
  wink run agent.ts -w ../shop --store sqlite:./runs.db --base shop`,
    )
    .action(async (id: string, options: ImportOptions, command: Command) => {
      const { importFiles, renderImport } = await import("../run/import-stored-files.js");
      const report = await interruptible(io, (signal) => importFiles(io, id, options, signal));
      answer(io, command, report, () => renderImport(report));
    });
}

function days(text: string): number {
  return wholeNumber(text) * 86_400_000;
}

function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It takes a whole number.");
}
