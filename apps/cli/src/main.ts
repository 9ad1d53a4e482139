#!/usr/bin/env node
import { Console } from "node:console";
import { runProgram } from "./commands/program.js";
import { reportError } from "./commands/report-error.js";
import { CliError } from "./terminal/cli-error.js";
import { EXIT_CODES } from "./terminal/exit-codes.js";
import { processIo } from "./terminal/process-io.js";

const io = processIo();
const debug = process.argv.includes("--debug");
const json = process.argv.includes("--json");

// stdout is only for the command's result, so `console.log` in an agent's code goes to stderr.
globalThis.console = new Console(process.stderr, process.stderr);

let isUnwritten = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // EPIPE means that the reader stopped (`wink log run.jsonl | head`). It is not an error and must
  // not stop a running apply.
  if (error.code === "EPIPE" || isUnwritten) return;
  isUnwritten = true;
  const failure = new CliError(`The output could not be written: ${error.message}.`, {
    cause: error,
  });
  process.exitCode = reportError(io, failure, { json: false, debug });
});
// If stderr fails, there is nowhere left to report errors.
process.stderr.on("error", () => {});

// A timer or an event of the agent's code threw. The next wink command rolls back the running call.
process.on("uncaughtException", (error) => {
  process.exit(reportError(io, error, { json, debug }));
});

process.once("beforeExit", () => {
  if (isOver) return;
  const error = new CliError("The program ended while a promise was still pending.", {
    hint: "The agent's code awaits a promise that never settles. The next wink command rolls back the unfinished call.",
  });
  process.exit(reportError(io, error, { json, debug }));
});

let isOver = false;
const exitCode = await runProgram(io, process.argv.slice(2));
isOver = true;
process.exitCode = isUnwritten ? EXIT_CODES.failed : exitCode;
