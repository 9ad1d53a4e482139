#!/usr/bin/env node
import { processIo } from "./process-io.js";
import { runProgram } from "./program.js";

// A reader that has seen enough (`wink log run.jsonl | head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

process.exitCode = await runProgram(processIo(), process.argv.slice(2));
