import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import type { CallEntry, CallJournal, JournaledCall } from "../runtime/transaction/call-journal.js";
import { DiskRunError } from "./disk-run-error.js";
import { encodeLine, type JournalLine, type OpenCall, openCalls } from "./journal-line.js";

/** From here on the file begins anew when no call is under way. */
const LONG_BYTES = 1 << 18;

/**
 * The calls of a run that change something, a line when one begins and a line when it ends.
 *
 * A call is in force once its `commit` line is whole, and not before: that one write decides for session
 * and files. Whoever finds a `begin` without an end undoes the call in both.
 */
export class JournalFile implements CallJournal {
  readonly path: string;
  /** The calls that an earlier process has left under way, the first one first. */
  readonly interrupted: readonly OpenCall[];
  readonly #fd: number;
  readonly #fsync: boolean;
  readonly #open = new Set<string>();
  #sizeBytes: number;
  #broken = false;

  /** Only for the one process that has the run: a line that was not finished is cut off. Throws `journal_invalid`. */
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

  /** Session and files are where the call found them. */
  undone(id: string): void {
    this.#write({ kind: "undone", id });
    this.#ended(id);
  }

  /** A call that is still under way can write no more: the number of the file may be another's by then. */
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
      throw failed("the journal is closed, or an earlier line could not be taken back");
    const bytes = Buffer.from(`${encodeLine(line)}\n`);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
      if (this.#fsync) fsyncSync(this.#fd);
    } catch (cause) {
      this.#takeBack();
      throw failed("the disk refused it", cause);
    }
    this.#sizeBytes += bytes.length;
  }

  /** Half a line must not stand before the next one, and a whole one that was not reported must not count. */
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
