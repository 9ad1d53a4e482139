import { closeSync, fsyncSync, ftruncateSync, openSync } from "node:fs";
import { requireHostPath, requireType } from "./check-arguments.js";
import { writeAll } from "./store-io.js";

/**
 * A file that records are appended to, each completely or not at all.
 *
 * Synchronous: when `append` returns, the kernel has the record, so it survives the end of the process. Only one
 * process may have the file open.
 */
export class AppendFile {
  readonly #fd: number;
  readonly #fsync: boolean;
  #sizeBytes: number;
  #problem: string | undefined;

  /**
   * Creates a missing file, readable only by its owner. Truncates an existing one to `sizeBytes`, which removes a record
   * that a crash cut off. With `fsync`, every record is flushed to disk.
   */
  constructor(path: string, options: { sizeBytes: number; fsync: boolean }) {
    requireHostPath(path, "AppendFile");
    requireType(options?.sizeBytes, "a number", "AppendFile");
    const { sizeBytes, fsync } = options;
    this.#fd = openSync(path, "a", 0o600);
    this.#fsync = fsync;
    this.#sizeBytes = sizeBytes;
    try {
      ftruncateSync(this.#fd, sizeBytes);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Appends one record. If that fails, the part that was written is removed: the next record would follow it, and a
   * complete record would count as written.
   */
  append(record: Uint8Array): void {
    this.repair();
    try {
      writeAll(this.#fd, record);
      if (this.#fsync) fsyncSync(this.#fd);
    } catch (error) {
      this.#cutOff();
      throw error;
    }
    this.#sizeBytes += record.length;
  }

  /**
   * Removes an incomplete record. Only needed if an append failed and could not remove the incomplete record itself.
   *
   * @throws if it still cannot be removed, or the file is closed
   */
  repair(): void {
    if (this.#problem === INCOMPLETE) this.#cutOff();
    if (this.#problem !== undefined) throw new Error(this.#problem);
  }

  /** Writes all records to the disk, so that they survive a power failure. */
  flush(): void {
    this.repair();
    fsyncSync(this.#fd);
  }

  /** Removes every record. */
  clear(): void {
    this.repair();
    ftruncateSync(this.#fd, 0);
    this.#sizeBytes = 0;
  }

  /** Closes the file. Later records are refused, because the system may reuse the descriptor. */
  close(): void {
    if (this.#problem === CLOSED) return;
    this.#problem = CLOSED;
    closeSync(this.#fd);
  }

  #cutOff(): void {
    try {
      ftruncateSync(this.#fd, this.#sizeBytes);
      this.#problem = undefined;
    } catch {
      this.#problem = INCOMPLETE;
    }
  }
}

const CLOSED = "the file is closed";
const INCOMPLETE = "an incomplete record could not be removed";
