import { requireOptions, requirePath } from "../define/check-argument.js";
import { LogIndex } from "./log-index.js";
import { readLines } from "./read-lines.js";
import { openForReading } from "./replay-log.js";
import { REPLAY_OPTIONS, type ReplayOptions } from "./replayer.js";

/** A log on disk with an index, which follows the file. */
export interface IndexedLog {
  readonly index: LogIndex;
  /** Reads the lines that were added since. Resolves to whether there were any. */
  refresh(): Promise<boolean>;
}

/**
 * Reads a log once, so that the session after any event is available in milliseconds. A writer may have the log open.
 * Rejects with `LOG_INVALID`.
 */
export async function indexLog(path: string, options: ReplayOptions = {}): Promise<IndexedLog> {
  requirePath("indexLog", path);
  requireOptions("indexLog", options, REPLAY_OPTIONS);
  const index = new LogIndex(options);
  let offset = 0;
  const refresh = async (): Promise<boolean> => {
    const file = await openForReading(path);
    try {
      const { size } = await file.stat();
      const lines: string[] = [];
      for await (const { text, endBytes } of readLines(file, offset, size)) {
        lines.push(text);
        offset = endBytes;
      }
      index.add(lines);
      return lines.length > 0;
    } finally {
      await file.close();
    }
  };
  await refresh();
  return { index, refresh };
}
