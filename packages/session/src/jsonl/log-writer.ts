import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { SessionError } from "../define/session-error.js";
import { encodeRecord, type LogRecord } from "./log-record.js";
import { MAX_LINE_BYTES } from "./read-lines.js";

/**
 * Appends whole lines to a file. Synchronous, because a session is: a line is
 * with the kernel when `write` returns, and so survives the end of the process.
 */
export class LogWriter {
  readonly #fd: number;
  readonly #fsync: boolean;
  #sizeBytes: number;
  #broken = false;

  /** Cuts the file to `sizeBytes`, which takes away a line that was not finished. */
  constructor(path: string, sizeBytes: number, fsync: boolean) {
    this.#fd = openSync(path, "a", 0o600);
    this.#fsync = fsync;
    this.#sizeBytes = sizeBytes;
    ftruncateSync(this.#fd, sizeBytes);
  }

  write(record: LogRecord): void {
    if (this.#broken) throw failed("an earlier line could not be taken back");
    const bytes = Buffer.from(encodeRecord(record));
    if (bytes.length > MAX_LINE_BYTES) throw failed(`a line has at most ${MAX_LINE_BYTES} bytes`);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
      if (this.#fsync) fsyncSync(this.#fd);
    } catch (cause) {
      this.#takeBack();
      throw failed("the disk refused it", cause);
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

  /** Removes what was written of a line, so that the next one does not follow half of it. */
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
