import { stat } from "node:fs/promises";
import { AdapterError } from "../error/adapter-error.js";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { RunDirectoryRecords } from "./run-directory.js";
import { type ReadRunOptions, RunReader } from "./run-reader.js";

/**
 * Reads a run: log, transcript and states together, also while the run is active and after its workspace was deleted.
 *
 * @param source the directory of a run, or the file of a session log, for which there are only events
 *
 * Rejects with `RUN_INVALID`, `TRANSCRIPT_INVALID`, or the log's `LOG_INVALID`.
 */
export async function readRun(source: string, options: ReadRunOptions = {}): Promise<RunReader> {
  requireOptions("readRun", options, ["slices", "redact"]);
  if (typeof source !== "string" || source === "")
    throw invalid("readRun", "pass the path of a run's directory or of a log.");
  const found = await stat(source).catch((cause: unknown) => {
    throw new AdapterError("RUN_INVALID", {
      subject: "run",
      reason: "there is nothing here",
      cause,
    });
  });
  return await RunReader.open(new RunDirectoryRecords(source, found.isDirectory()), options);
}
