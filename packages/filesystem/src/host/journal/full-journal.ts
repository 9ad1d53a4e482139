import type { CommitRecord } from "../../snapshots/filesystem-snapshot.js";
import { isOwnerAlive, releaseToken, takeToken } from "../process/owner.js";
import { readIfThere, removeIfThere, replaceFile } from "../process/store-io.js";
import { isCommitted } from "./commit-record.js";

/** Where to return to when the process dies in the middle of a transaction that remembers the whole state. */
export interface OpenTransaction {
  readonly commitId: string;
  /** How many logged changes of an outer transaction came before it. */
  readonly position: number;
  /** Whether it counts as committed although it was not ended. */
  readonly committed: boolean;
}

/** Says that a transaction with a whole state is open, and whose it is. */
export class FullJournal {
  readonly #path: string;
  readonly #fsync: boolean;
  #token: string | undefined;

  constructor(path: string, fsync: boolean) {
    this.#path = path;
    this.#fsync = fsync;
  }

  begin(commitId: string, position: number, committedBy?: CommitRecord): void {
    this.#token = takeToken();
    const decision = committedBy === undefined ? "" : `${JSON.stringify(committedBy)}\n`;
    const text = `${this.#token}\n${commitId}\n${position}\n${decision}`;
    replaceFile(this.#path, [Buffer.from(text)], { fsync: this.#fsync });
  }

  end(): void {
    this.release();
    removeIfThere(this.#path);
  }

  /** Leaves it to whoever opens the workspace next. */
  release(): void {
    if (this.#token !== undefined) releaseToken(this.#token);
    this.#token = undefined;
  }

  /** One that a process that is no more has left, or whoever worked by the file `takesOver`. */
  readAbandoned(takesOver?: string): OpenTransaction | undefined {
    const [, commitId, position, decision] = readIfThere(this.#path)?.toString().split("\n") ?? [];
    if (commitId === undefined || position === undefined) return undefined;
    // Put in place in one step by this process or one like it, in a directory of its own.
    const committedBy = decision ? (JSON.parse(decision) as CommitRecord) : undefined;
    const isTakenOver = takesOver !== undefined && committedBy?.file === takesOver;
    if (!isTakenOver && isOwnerAlive(this.#path)) return undefined;
    return { commitId, position: Number(position), committed: isCommitted(committedBy) };
  }
}
