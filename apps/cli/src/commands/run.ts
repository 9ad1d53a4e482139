import { Command, InvalidArgumentError, Option } from "commander";
import { MODEL_NAMES } from "../model/model-names.js";
import { interruptible } from "../run/interruptible.js";
import { addSettingsOptions } from "../run/read-settings.js";
import type { RunOptions } from "../run/run-agent.js";
import type { RunAnswer } from "../run/run-report.js";
import { BACKENDS } from "../run/run-workspace.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { answer, say, wantsDebug, wantsJson } from "../terminal/print.js";

export function runCommand(io: Io): Command {
  return addSettingsOptions(new Command("run"))
    .description("run an agent on a copy of a directory, then apply its changes or not")
    .argument("<agent>", "a TypeScript or JavaScript file that exports `agent`")
    .option("-w, --workspace <dir>", "the directory to work on", ".")
    .option("--rev <rev>", "work on this git revision of the directory, in memory")
    .option("-m, --model <model>", MODEL_NAMES, "scripted")
    .addOption(
      new Option("-p, --param <name=value>", "a parameter of the agent; repeatable")
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(
      new Option(
        "--backend <kind>",
        "where the copy is: on disk, in memory, in a container; overlay: no copy",
      )
        .choices(BACKENDS)
        .default("host"),
    )
    .option("--image <name>", "the container image, with --backend podman")
    .option("--budget <amounts>", "the limits, such as tokens=100000,usd=0.50,calls=40")
    .option(
      "--price <amounts>",
      "the price of the model, if not the published one: input=3,output=15",
    )
    .option("--deadline <time>", "the maximum time, such as 90s or 10m")
    .option("--max-turns <number>", "the maximum number of model requests", wholeNumber)
    .option("--log <directory>", "record the run in this directory, for wink log")
    .addOption(
      new Option(
        "--store <url>",
        "store files, log and conversation: sqlite:FILE, postgres:, redis: or s3:",
      ).conflicts(["log", "record", "continue"]),
    )
    .option("--no-agents-file", "do not add the AGENTS.md files and skills of the directory")
    .option("--base <id>", "with --store: start with the files that wink runs import stored")
    .option("--no-transcript", "do not record what the model was shown and said")
    .option("--record <file>", "record the model's requests and answers, for --model replay:<file>")
    .option("--include-secrets", "copy files that look like secrets too")
    .option("--include-ignored", "copy files that .gitignore ignores too")
    .option("--include <glob>", "copy only files that match; repeatable", addTo)
    .option("--exclude <glob>", "do not copy what matches; repeatable", addTo)
    .option("--continue", "continue with the unapplied changes of an earlier run")
    .option("--resume [run]", "continue the last run, or this one, where its process stopped")
    .option("--from <run@n>", "start a new run from event n of a run, or @n for the last run")
    .option("--apply", "apply the changes without asking")
    .option("--patch <file>", "write the changes as a patch for git apply")
    .option("-y, --yes", "answer yes to the question at the end")
    .addHelpText(
      "after",
      `
The agent works on a copy. At the end, wink asks whether to apply its changes to
the directory. Without a terminal, they stay in the workspace for wink changes,
diff, apply and undo. A second run on the same directory works on its own copy,
which is merged at the end, or kept apart if both changed a file. Ctrl-C ends a
run gracefully: the running call is rolled back. Esc stops only the turn:
then you say how the agent continues.

An agent is a file like this (wink init creates one):
  export const agent = defineAgent({ prompt: ({ session, workspace }) => … })

Examples:
  wink run agent.ts --workspace ../shop
  wink run agent.ts -m anthropic:<model> -p focus=errors --patch review.patch
  wink run agent.ts --resume
  wink run agent.ts --from @120 -m anthropic:<model>
  wink run agent.ts --store sqlite:runs.db --resume
  wink run agent.ts --store sqlite:./runs.db --base shop
  wink run agent.ts -m openai:<model> --budget tokens=200000 --apply`,
    )
    .action(async (file: string, options: RunOptions, command: Command) => {
      const { runAgent } = await import("../run/run-agent.js");
      const { renderAnswer, renderEnd } = await import("../run/show-report.js");
      const json = wantsJson(command);
      const hasModel = command.getOptionValueSource("model") !== "default";
      const mayAsk = io.isTerminal && !json;
      const debug = wantsDebug(command);
      const onAnswer = (given: RunAnswer, isShown: boolean) =>
        json || say(io, renderAnswer(io, given, isShown));
      const report = await interruptible(io, (signal, interrupt) =>
        runAgent(io, file, { ...options, hasModel, mayAsk, debug, onAnswer, signal, interrupt }),
      );
      answer(io, command, report, () => renderEnd(io, report, options));
      if (report.finishReason !== "completed" && io.exitCode === EXIT_CODES.ok)
        io.exitCode = EXIT_CODES.failed;
    });
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function addTo(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It takes a whole number from 1.");
}
