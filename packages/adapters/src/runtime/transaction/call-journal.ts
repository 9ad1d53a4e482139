import type { CommitRecord } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { behind } from "./call-scope.js";

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

const journals = new WeakMap<object, CallJournal>();

/** Records the changing calls on `session` in `journal`. Returns a function that stops this. */
export function journalCalls(session: Session, journal: CallJournal): () => void {
  journals.set(session, journal);
  return () => void journals.delete(session);
}

export function journalOf(session: Session): CallJournal | undefined {
  return journals.get(behind(session));
}
