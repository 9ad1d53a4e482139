import { Command, InvalidArgumentError, Option } from "commander";
import { MODEL_NAMES } from "../model/model-names.js";
import type { Io } from "../terminal/io.js";
import { answer } from "../terminal/print.js";
import type { WorkerOptions, WorkerReport } from "../worker/run-worker.js";

export function workerCommand(io: Io): Command {
  return new Command("worker")
    .description("process the requests of a queue with an agent")
    .argument("<agent>", "a TypeScript or JavaScript file that exports `agent`")
    .requiredOption("--queue <url>", "sqlite:FILE, postgres://… or redis://… (BullMQ), with #NAME")
    .requiredOption(
      "--store <url>",
      "where runs and their files are: sqlite:, postgres:, redis:, s3:",
    )
    .option("-m, --model <model>", MODEL_NAMES, "scripted")
    .option("--concurrency <number>", "requests at the same time", positiveNumber, 1)
    .option("--name <name>", "the name in the log (default: host and process)")
    .option("--health <port>", "serve /live, /ready and /metrics", positiveNumber)
    .option("--health-host <address>", "the address for --health (default: 127.0.0.1)")
    .option("--grace <seconds>", "time for running requests at the end", positiveNumber, 30)
    .option("--lease <seconds>", "when a dead worker's request is free", positiveNumber, 60)
    .option("--max-attempts <number>", "attempts before a dead letter", positiveNumber, 5)
    .option("--max-turns <number>", "the maximum number of model requests", positiveNumber)
    .addOption(
      new Option("--on-agent-changed <what>", "a run that began with another prompt")
        .choices(["refuse", "continue"])
        .default("refuse"),
    )
    .addHelpText(
      "after",
      `
Each request is a run in the store. If a worker dies, another one continues its
run: no stored answer of the model is requested again. On SIGTERM, running
requests finish their turn and return to the queue.

Examples:
  wink worker agent.ts --queue sqlite:work.db --store sqlite:work.db
  wink worker agent.ts --queue redis://localhost --store redis://localhost
  wink queue add --queue sqlite:work.db --param file=src/a.ts`,
    )
    .action(async (file: string, options: WorkerOptions, command: Command) => {
      const { runWorker } = await import("../worker/run-worker.js");
      const report = await runWorker(io, file, options);
      answer(io, command, report, render);
    });
}

function render(report: WorkerReport): string {
  const counts = Object.entries(report).map(([type, count]) => `${count} ${type}`);
  return `Worker ended: ${counts.length === 0 ? "no requests" : counts.join(", ")}.`;
}

/** Parses a number above 0. */
export function positiveNumber(text: string): number {
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("It takes a number above 0.");
}
