import { Command } from "commander";
import type { AnswerOptions } from "../run/answer-run.js";
import type { Io } from "../terminal/io.js";
import { answer } from "../terminal/print.js";
import { storedRunCommands } from "./stored-runs.js";

/** The commands about recorded runs. */
export function runsCommand(io: Io): Command {
  const runs = new Command("runs")
    .description("list, show and delete the runs of a store, and answer the question of a run")
    .addCommand(answerCommand(io));
  for (const command of storedRunCommands(io)) runs.addCommand(command);
  return runs;
}

function answerCommand(io: Io): Command {
  return new Command("answer")
    .description("answer the question that a run waits for, or show it")
    .argument("[value]", "yes, no, or the reply: JSON or text")
    .option("-w, --workspace <dir>", "the directory that the run works on", ".")
    .option("--run <run>", "the id or the directory of the run; by default the last one")
    .option("--store <url>", "the store with the run: sqlite:, postgres:, redis: or s3:")
    .option("--id <id>", "which question, if there are several")
    .option("--reason <text>", "why, with no")
    .addHelpText(
      "after",
      `
Examples:
  wink runs answer
  wink runs answer yes
  wink runs answer no --reason "not on a Friday"
  wink runs answer '{"colour":"blue"}' --run ../runs/7 --id 2
  wink runs answer yes --store sqlite:./runs.db --run review-42`,
    )
    .action(async (value: string | undefined, options: AnswerOptions, command: Command) => {
      const { answerRun } = await import("../run/answer-run.js");
      const { report, text } = await answerRun(io, value, options);
      answer(io, command, report, () => text);
    });
}
