import { stat } from "node:fs/promises";
import { openStore } from "@wink/store/url";
import { AdapterError } from "../error/adapter-error.js";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { RunDirectoryRecords } from "./run-directory.js";
import { type ReadRunOptions, RunReader } from "./run-reader.js";
import { isStoredRun, type StoredRunSource } from "./store-head.js";
import { StoreRecords } from "./store-records.js";
import { parseStoredRun } from "./stored-run-source.js";

/**
 * Reads a run: log, transcript and states together, also while the run is active and after its workspace was deleted.
 *
 * @param source the directory of a run, a store and the id of a run, `<store-url>#<id>`, or the file of a session log,
 * for which there are only events
 *
 * Rejects with `RUN_INVALID`, `TRANSCRIPT_INVALID`, the log's `LOG_INVALID`, or a `StoreError`.
 */
export async function readRun(
  source: string | StoredRunSource,
  options: ReadRunOptions = {},
): Promise<RunReader> {
  requireOptions("readRun", options, ["slices", "redact"]);
  if (isStoredRun(source)) return await RunReader.open(await StoreRecords.open(source), options);
  if (typeof source !== "string" || source === "")
    throw invalid(
      "readRun",
      "pass the path of a run's directory or of a log, or a store and an id.",
    );
  const stored = parseStoredRun(source);
  if (stored !== undefined) return await readFromUrl(stored.url, stored.id, options);
  const found = await stat(source).catch((cause: unknown) => {
    throw new AdapterError("RUN_INVALID", {
      subject: "run",
      reason: "there is nothing here",
      cause,
    });
  });
  return await RunReader.open(new RunDirectoryRecords(source, found.isDirectory()), options);
}

/** The reader closes the store that was opened for it. */
async function readFromUrl(url: string, id: string, options: ReadRunOptions): Promise<RunReader> {
  const store = await openStore(url);
  try {
    const records = await StoreRecords.open({ store, id });
    return await RunReader.open(records, options, () => void store.close().catch(() => {}));
  } catch (error) {
    await store.close();
    throw error;
  }
}
