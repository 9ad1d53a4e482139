import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { SessionError } from "../define/session-error.js";
import { encodeRecord, type LogRecord } from "./log-record.js";
import { MAX_LINE_BYTES } from "./read-lines.js";

/**
 * Appends lines to a file. Synchronous, like a session: when `write` returns, the kernel has the line, so it survives
 * the end of the process.
 */
export class LogWriter {
  readonly #fd: number;
  readonly #fsync: boolean;
  #sizeBytes: number;
  #broken = false;

  /** Truncates the file to `sizeBytes`, which removes an incomplete line. */
  constructor(path: string, sizeBytes: number, fsync: boolean) {
    this.#fd = openSync(path, "a", 0o600);
    this.#fsync = fsync;
    this.#sizeBytes = sizeBytes;
    ftruncateSync(this.#fd, sizeBytes);
  }

  write(record: LogRecord): void {
    if (this.#broken) throw failed("an incomplete line could not be removed");
    const bytes = Buffer.from(encodeRecord(record));
    if (bytes.length > MAX_LINE_BYTES)
      throw failed(`a line may have at most ${MAX_LINE_BYTES} bytes`);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
      if (this.#fsync) fsyncSync(this.#fd);
    } catch (cause) {
      this.#takeBack();
      throw failed("the write failed", cause);
    }
    this.#sizeBytes += bytes.length;
  }

  close(): void {
    try {
      fsyncSync(this.#fd);
    } finally {
      closeSync(this.#fd);
    }
  }

  /** Removes a partly written line, so that the next line does not follow it. */
  #takeBack(): void {
    try {
      ftruncateSync(this.#fd, this.#sizeBytes);
    } catch {
      this.#broken = true;
    }
  }
}

function failed(reason: string, cause?: unknown): SessionError {
  return new SessionError("log_failed", { subject: "log", reason, cause });
}
