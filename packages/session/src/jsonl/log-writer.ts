import { AppendFile } from "@wink/filesystem/host";
import { SessionError } from "../define/session-error.js";
import { encodeRecord, type LogRecord } from "./log-record.js";
import { MAX_LINE_BYTES } from "./read-lines.js";

/** Where the lines of a log go. */
export interface LineSink {
  append(bytes: Uint8Array): void;
  flush(): void;
  close(): void;
}

/** Appends records to a log. Synchronous, like a session. */
export class LogWriter {
  readonly #file: LineSink;

  constructor(sink: LineSink) {
    this.#file = sink;
  }

  /** Truncates the file to `sizeBytes`, which removes an incomplete line. */
  static ofFile(path: string, sizeBytes: number, fsync: boolean): LogWriter {
    return new LogWriter(new AppendFile(path, { sizeBytes, fsync }));
  }

  write(record: LogRecord): void {
    const bytes = Buffer.from(encodeRecord(record));
    if (bytes.length > MAX_LINE_BYTES)
      throw failed(`a line may have at most ${MAX_LINE_BYTES} bytes`);
    try {
      this.#file.append(bytes);
    } catch (cause) {
      throw failed("the write failed", cause);
    }
  }

  close(): void {
    try {
      this.#file.flush();
    } finally {
      this.#file.close();
    }
  }
}

function failed(reason: string, cause?: unknown): SessionError {
  return new SessionError("LOG_FAILED", "log", reason, { cause });
}
