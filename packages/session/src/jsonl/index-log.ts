import { requireOptions, requirePath } from "../define/check-argument.js";
import { LogIndex } from "./log-index.js";
import { readLines } from "./read-lines.js";
import { openForReading } from "./replay-log.js";
import { REPLAY_OPTIONS, type ReplayOptions } from "./replayer.js";

/**
 * Reads a log once, so that the session after any event is available in milliseconds. A writer may have the log open.
 * `refresh` reads the lines that were added since, and resolves to whether there were any. Rejects with `LOG_INVALID`.
 */
export async function indexLog(
  path: string,
  options: ReplayOptions = {},
): Promise<{
  readonly index: LogIndex;
  refresh(): Promise<boolean>;
}> {
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
