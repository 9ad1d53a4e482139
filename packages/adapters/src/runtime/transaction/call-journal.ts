import type { CommitRecord } from "@wink/filesystem";

/** A call that is about to change something. */
export interface CallEntry {
  readonly toolCallId: string;
  readonly tool: string;
  /** The session sequence to roll back to. */
  readonly sequence: number;
}

/**
 * Records open calls, so that they can be rolled back if the process is killed.
 *
 * If a method throws, the call fails as if the write to the files had failed.
 */
export interface CallJournal {
  /** Called before the call can change anything. */
  begin(entry: CallEntry): JournaledCall;
}

export interface JournaledCall {
  /**
   * For the filesystem transaction: it counts as committed when this call's commit record exists.
   */
  readonly committedBy: CommitRecord;
  /** Commits session and files together, in one write. */
  commit(): void;
  /** Called when a committed call has nothing left to finish. */
  end(): void;
  /** Called when session and files are restored to the state before the call. */
  undone(): void;
}
