import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { SessionError } from "../define/session-error.js";
import { decodeRecord, type LogRecord } from "./log-record.js";
import { readLines } from "./read-lines.js";
import { openForReading } from "./replay-log.js";

export interface FollowLogOptions {
  /** Ends the iteration when it aborts. @default it goes on until the caller breaks off */
  readonly signal?: AbortSignal;
  /** How long to wait before looking again. @default 50 */
  readonly pollIntervalMs?: number;
}

/**
 * The records of a log from its beginning, and then each new one as it is
 * written. The file need not exist yet.
 */
export async function* followLog(
  path: string,
  { signal, pollIntervalMs = 50 }: FollowLogOptions = {},
): AsyncGenerator<LogRecord, void> {
  let offset = 0;
  let lineNumber = 0;
  while (!signal?.aborted) {
    const sizeBytes = await sizeOf(path);
    if (sizeBytes < offset)
      throw new SessionError("log_invalid", {
        subject: "log",
        reason: "it was cut off or replaced",
      });
    if (sizeBytes > offset) {
      const file = await openForReading(path);
      try {
        // Always from the last complete line: what follows it may be cut off and written anew.
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
