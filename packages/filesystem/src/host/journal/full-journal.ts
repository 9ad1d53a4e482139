import type { CommitRecord } from "../../snapshots/filesystem-snapshot.js";
import { isOwnerAlive, releaseToken, takeToken } from "../process/process-token.js";
import { readIfThere, removeIfThere, replaceFile } from "../process/store-io.js";
import { isCommitted } from "./commit-record.js";

/** The state to return to if the process dies during a transaction with `full`. */
export interface OpenTransaction {
  readonly commitId: string;
  /** The number of changes that an outer transaction logged before it began. */
  readonly position: number;
  /** Whether its commit is recorded although it was not ended. */
  readonly committed: boolean;
}

/** Records on disk that a transaction with `full` is open, and which process owns it. */
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

  /** Leaves the transaction to the next process that opens the workspace. */
  release(): void {
    if (this.#token !== undefined) releaseToken(this.#token);
    this.#token = undefined;
  }

  /** Returns the open transaction of a dead process, or of any process whose commit file is `takesOver`. */
  readAbandoned(takesOver?: string): OpenTransaction | undefined {
    const [, commitId, position, decision] = readIfThere(this.#path)?.toString().split("\n") ?? [];
    if (commitId === undefined || position === undefined) return undefined;
    // Safe to parse: the file is replaced atomically, and only this code writes to its private directory.
    const committedBy = decision ? (JSON.parse(decision) as CommitRecord) : undefined;
    const isTakenOver = takesOver !== undefined && committedBy?.file === takesOver;
    if (!isTakenOver && isOwnerAlive(this.#path)) return undefined;
    return { commitId, position: Number(position), committed: isCommitted(committedBy) };
  }
}
