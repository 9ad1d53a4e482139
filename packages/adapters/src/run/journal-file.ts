import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { AppendFile } from "@wink/filesystem/host";
import { AdapterError } from "../error/adapter-error.js";
import type { CallEntry, CallJournal, JournaledCall } from "../runtime/transaction/call-journal.js";
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
  readonly #file: AppendFile;
  readonly #open = new Set<string>();
  #isClosed = false;

  /**
   * Only for the process that holds the run's lock, because it truncates an incomplete last line.
   * Throws `JOURNAL_INVALID`.
   */
  constructor(path: string, fsync: boolean) {
    this.path = path;
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    this.interrupted = openCalls(bytes.toString());
    this.#file = new AppendFile(path, { sizeBytes: bytes.lastIndexOf("\n") + 1, fsync });
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

  /** Closes the file. After that, calls that are still open cannot be ended. */
  close(): void {
    this.#isClosed = true;
    this.#file.close();
  }

  #ended(id: string): void {
    this.#open.delete(id);
    if (this.#open.size > 0 || this.#file.sizeBytes < LONG_BYTES || this.#isClosed) return;
    this.#file.clear();
  }

  #write(line: JournalLine): void {
    try {
      this.#file.append(Buffer.from(`${encodeLine(line)}\n`));
    } catch (cause) {
      throw failed("the line could not be written", cause);
    }
  }
}

function failed(reason: string, cause?: unknown): AdapterError {
  return new AdapterError("JOURNAL_FAILED", { subject: "journal of the run", reason, cause });
}
