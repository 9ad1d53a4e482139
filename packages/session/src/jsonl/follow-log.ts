import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { requireOptions, requirePath } from "../define/check-argument.js";
import { SessionError } from "../define/session-error.js";
import { decodeRecord, type LogRecord } from "./log-record.js";
import { readLines } from "./read-lines.js";
import { openForReading } from "./replay-log.js";

/** Yields the records of a log from the beginning, and then each new record. The file need not exist yet. */
export async function* followLog(
  path: string,
  options: {
    /** Ends the iteration when it aborts. @default continues until the caller stops iterating */
    readonly signal?: AbortSignal;
    /** The time between two checks of the file, in milliseconds. @default 50 */
    readonly pollIntervalMs?: number;
  } = {},
): AsyncGenerator<LogRecord, void> {
  requirePath("followLog", path);
  requireOptions("followLog", options, ["signal", "pollIntervalMs"]);
  const { signal, pollIntervalMs = 50 } = options;
  let offset = 0;
  let lineNumber = 0;
  while (!signal?.aborted) {
    const sizeBytes = await sizeOf(path);
    if (sizeBytes < offset)
      throw new SessionError("LOG_INVALID", "log", "the file was truncated or replaced");
    if (sizeBytes > offset) {
      const file = await openForReading(path);
      try {
        // Always starts after the last complete line, because the rest may be truncated and written again.
        for await (const line of readLines(file, offset, sizeBytes, lineNumber + 1)) {
          if (signal?.aborted) return;
          offset = line.endBytes;
          yield decodeRecord(line.text, ++lineNumber);
        }
      } finally {
        await file.close();
      }
    }
    await sleep(pollIntervalMs, undefined, { signal }).catch(() => {});
  }
}

async function sizeOf(path: string): Promise<number> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.size ?? 0;
}
