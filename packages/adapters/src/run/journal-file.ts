import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import type { CallEntry, CallJournal, JournaledCall } from "../runtime/transaction/call-journal.js";
import { DiskRunError } from "./disk-run-error.js";
import { encodeLine, type JournalLine, type OpenCall, openCalls } from "./journal-line.js";

/** The file is emptied above this size when no call is open. */
const LONG_BYTES = 1 << 18;

/**
 * The journal of a run's changing calls: one line when a call begins and one when it ends.
 *
 * A call is committed once its `commit` line is complete. That single write decides for both
 * session and files. A `begin` without an end means that the call must be rolled back in both.
 */
export class JournalFile implements CallJournal {
  readonly path: string;
  /** The calls that an earlier process did not end, in the order in which they began. */
  readonly interrupted: readonly OpenCall[];
  readonly #fd: number;
  readonly #fsync: boolean;
  readonly #open = new Set<string>();
  #sizeBytes: number;
  #broken = false;

  /**
   * Only for the process that holds the run's lock, because it truncates an incomplete last line.
   * Throws `journal_invalid`.
   */
  constructor(path: string, fsync: boolean) {
    this.path = path;
    this.#fsync = fsync;
    this.#fd = openSync(path, "a+", 0o600);
    try {
      const bytes = readFileSync(this.#fd);
      this.interrupted = openCalls(bytes.toString());
      this.#sizeBytes = bytes.lastIndexOf("\n") + 1;
      ftruncateSync(this.#fd, this.#sizeBytes);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  begin(entry: CallEntry): JournaledCall {
    const id = randomUUID();
    this.#write({ kind: "begin", id, ...entry });
    this.#open.add(id);
    return {
      committedBy: { file: this.path, line: encodeLine({ kind: "commit", id }) },
      commit: () => this.#write({ kind: "commit", id }),
      end: () => this.#ended(id),
      undone: () => this.undone(id),
    };
  }

  /** Records that session and files were restored to the state before the call. */
  undone(id: string): void {
    this.#write({ kind: "undone", id });
    this.#ended(id);
  }

  /** Prevents later writes by open calls, because the system may reuse the file descriptor. */
  close(): void {
    this.#broken = true;
    closeSync(this.#fd);
  }

  #ended(id: string): void {
    this.#open.delete(id);
    if (this.#open.size > 0 || this.#sizeBytes < LONG_BYTES || this.#broken) return;
    ftruncateSync(this.#fd, 0);
    this.#sizeBytes = 0;
  }

  #write(line: JournalLine): void {
    if (this.#broken)
      throw failed("the journal is closed, or an earlier failed write could not be truncated");
    const bytes = Buffer.from(`${encodeLine(line)}\n`);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
      if (this.#fsync) fsyncSync(this.#fd);
    } catch (cause) {
      this.#takeBack();
      throw failed("the line could not be written", cause);
    }
    this.#sizeBytes += bytes.length;
  }

  /**
   * Truncates a failed write: a partial line would corrupt the next one, and a complete line
   * would count as committed.
   */
  #takeBack(): void {
    try {
      ftruncateSync(this.#fd, this.#sizeBytes);
    } catch {
      this.#broken = true;
    }
  }
}

function failed(reason: string, cause?: unknown): DiskRunError {
  return new DiskRunError("journal_failed", reason, { cause });
}
