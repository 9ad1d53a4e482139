import { Command, Option } from "commander";
import type { Io } from "../terminal/io.js";
import { answer } from "../terminal/print.js";
import type { AddOptions } from "../worker/queue-commands.js";
import { positiveNumber } from "./worker.js";

interface QueueOption {
  readonly queue: string;
}

export function queueCommand(io: Io): Command {
  const queue = new Command("queue")
    .description("add, list, retry and drop the requests of workers")
    .addHelpText(
      "after",
      `
Examples:
  wink queue add --queue sqlite:work.db --param file=src/a.ts
  wink queue list --queue sqlite:work.db
  wink queue retry --queue sqlite:work.db <request>`,
    );
  queue
    .command("add")
    .description("add a request; its id is the id of the run")
    .addHelpText(
      "after",
      "\nExamples:\n  wink queue add --queue sqlite:work.db -p file=a.ts --priority high",
    )
    .addOption(queueOption())
    .option("-p, --param <name=value>", "a parameter of the agent; repeatable", addTo, [])
    .option("--id <id>", "the id; a queue takes each id once (default: random)")
    .addOption(
      new Option("--priority <level>", "what comes first").choices(["high", "normal", "low"]),
    )
    .option("--delay <seconds>", "how long the request waits", positiveNumber)
    .option("--reply-to <queue>", "the queue that gets the result")
    .action(async (options: QueueOption & AddOptions, command: Command) => {
      const { withQueue, addRequest } = await import("../worker/queue-commands.js");
      const added = await withQueue(io, options.queue, (opened) => addRequest(opened, options));
      answer(io, command, added, ({ requestId }) => `Added request ${requestId}.`);
    });
  queue
    .command("list")
    .description("list the requests and the dead letters")
    .addHelpText("after", "\nExamples:\n  wink queue list --queue postgres://localhost/wink --json")
    .addOption(queueOption())
    .option("--limit <number>", "the maximum number of each", positiveNumber, 100)
    .action(async (options: QueueOption & { readonly limit: number }, command: Command) => {
      const { withQueue, listRequests, renderListing } = await import(
        "../worker/queue-commands.js"
      );
      const listed = await withQueue(io, options.queue, (opened) =>
        listRequests(opened, options.limit),
      );
      answer(io, command, listed, renderListing);
    });
  for (const [name, what, description, done] of [
    ["retry", "requeue", "make a dead letter or a delayed request due now", "is due now"],
    ["drop", "drop", "delete a request that no worker has", "was dropped"],
  ] as const)
    queue
      .command(name)
      .description(description)
      .addHelpText("after", `\nExamples:\n  wink queue ${name} --queue sqlite:work.db <request>`)
      .argument("<request>", "the id of the request")
      .addOption(queueOption())
      .action(async (requestId: string, options: QueueOption, command: Command) => {
        const { withQueue, changeRequest } = await import("../worker/queue-commands.js");
        const changed = await withQueue(io, options.queue, (opened) =>
          changeRequest(opened, requestId, what),
        );
        answer(io, command, changed, () => `Request ${requestId} ${done}.`);
      });
  return queue;
}

function queueOption(): Option {
  const description = "sqlite:FILE, postgres://… or redis://… (BullMQ), with #NAME";
  return new Option("--queue <url>", description).makeOptionMandatory();
}

function addTo(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
