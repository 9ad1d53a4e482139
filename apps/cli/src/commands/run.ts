import { Command, InvalidArgumentError, Option } from "commander";
import { MODEL_NAMES } from "../model/model-names.js";
import { interruptible } from "../run/interruptible.js";
import type { RunOptions } from "../run/run-agent.js";
import type { RunAnswer } from "../run/run-report.js";
import { BACKENDS } from "../run/run-workspace.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { answer, say, wantsJson } from "../terminal/print.js";

export function runCommand(io: Io): Command {
  return new Command("run")
    .description("run an agent on a copy of a directory, then apply what it changed or not")
    .argument("<agent>", "a TypeScript or JavaScript file that exports `agent`")
    .option("-w, --workspace <dir>", "the directory to work on", ".")
    .option("-m, --model <model>", MODEL_NAMES, "scripted")
    .addOption(
      new Option("-p, --param <name=value>", "a parameter of the agent; again for more")
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(
      new Option("--backend <kind>", "where the copy is: on disk, in memory, in a container")
        .choices(BACKENDS)
        .default("host"),
    )
    .option("--image <name>", "what the container is made of, with --backend podman")
    .option("--budget <amounts>", "most it may use, such as tokens=100000,usd=0.50,calls=40")
    .option("--price <amounts>", "what the model costs, for a budget of usd: input=3,output=15")
    .option("--deadline <time>", "most time it may take, such as 90s or 10m")
    .option("--max-turns <number>", "how often the model is asked at most", wholeNumber)
    .option("--log <file>", "write the run's log there, for wink log")
    .option("--record <file>", "write what the model was asked and said, for --model replay:<file>")
    .option("--continue", "go on from the changes of an earlier run that were not applied")
    .option("--apply", "apply the changes without asking")
    .option("--patch <file>", "write the changes as a patch that git apply takes")
    .option("-y, --yes", "answer yes to the question at the end")
    .addHelpText(
      "after",
      `
The agent works on a copy. At the end you are asked whether its changes go to
the directory; without a terminal they stay in the workspace for wink changes,
diff, apply and undo. Ctrl-C ends a run in order: the call that was running is
undone.

An agent is a file such as wink init makes:
  export const agent = defineAgent({ prompt: ({ session, workspace }) => … })

Examples:
  $ wink run agent.ts --workspace ../shop
  $ wink run agent.ts -m anthropic:<model> -p focus=errors --patch review.patch
  $ wink run agent.ts -m openai:<model> --budget tokens=200000 --apply`,
    )
    .action(async (file: string, options: RunOptions, command: Command) => {
      const { runAgent } = await import("../run/run-agent.js");
      const { renderAnswer, renderEnd } = await import("../run/show-report.js");
      const json = wantsJson(command);
      const mayAsk = io.isTerminal && !json;
      const onAnswer = (given: RunAnswer) => json || say(io, renderAnswer(io, given));
      const report = await interruptible(io, (signal) =>
        runAgent(io, file, { ...options, mayAsk, onAnswer, signal }),
      );
      answer(io, command, report, () => renderEnd(io, report));
      if (report.finishReason !== "completed" && io.exitCode === EXIT_CODES.ok)
        io.exitCode = EXIT_CODES.failed;
    });
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It takes a whole number from 1.");
}
