import { Command, Option } from "commander";
import { MODEL_NAMES } from "../model/model-names.js";
import { addSettingsOptions } from "../run/read-settings.js";
import type { RunOptions } from "../run/run-agent.js";
import { BACKENDS } from "../run/run-workspace.js";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { answer, say, wantsDebug } from "../terminal/print.js";

export function chatCommand(io: Io): Command {
  return addSettingsOptions(new Command("chat"))
    .description("talk with an agent that works on a copy of a directory")
    .argument("<agent>", "a TypeScript or JavaScript file that exports `agent`")
    .option("-w, --workspace <dir>", "the directory to work on", ".")
    .option("-m, --model <model>", MODEL_NAMES, "scripted")
    .addOption(
      new Option("-p, --param <name=value>", "a parameter of the agent; repeatable")
        .argParser((value: string, before: readonly string[]) => [...before, value])
        .default([], "none"),
    )
    .addOption(
      new Option("--backend <kind>", "where the copy is: on disk, in memory, in a container")
        .choices(BACKENDS)
        .default("host"),
    )
    .option("--budget <amounts>", "the limits of each message, such as tokens=100000")
    .option(
      "--price <amounts>",
      "the price of the model, if not the published one: input=3,output=15",
    )
    .option("--no-agents-file", "do not add the AGENTS.md files and skills of the directory")
    .option("--continue", "continue with the unapplied changes of an earlier run")
    .option("--resume [run]", "continue the conversation of the last run, or of this one")
    .option("--from <run@n>", "start a new conversation from event n of a run, or @n for the last")
    .addHelpText(
      "after",
      `
Each line that you type is a message to the agent. Ctrl-C stops an answer and
keeps the conversation. An empty line or Ctrl-D ends it; then wink asks whether
to apply the changes to the directory.

Examples:
  wink chat agent.ts --workspace ../shop
  wink chat agent.ts -m anthropic:<model> --budget tokens=100000`,
    )
    .action(async (file: string, options: RunOptions, command: Command) => {
      if (!io.isTerminal)
        throw new CliError("wink chat needs a terminal.", {
          exitCode: EXIT_CODES.refused,
          hint: "Use wink run for one task without questions.",
        });
      const { runAgent } = await import("../run/run-agent.js");
      const { changeLines } = await import("../view/change-lines.js");
      const { renderEnd } = await import("../run/show-report.js");
      const { colorsFor } = await import("../terminal/print.js");
      const report = await runAgent(io, file, {
        ...options,
        ...{ hasModel: command.getOptionValueSource("model") !== "default", mayAsk: true },
        ...{ debug: wantsDebug(command), isChat: true, interrupt: () => {} },
        onAnswer: ({ changes }) => say(io, changeLines(changes, colorsFor(io)).join("\n")),
        // Each turn has its own signal.
        signal: new AbortController().signal,
      });
      answer(io, command, report, () => renderEnd(io, report));
    });
}
