import type { CommitRecord } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { behind } from "./call-scope.js";

/** A call that is about to change something. */
export interface CallEntry {
  readonly toolCallId: string;
  readonly tool: string;
  /** The state of the session to return to. */
  readonly sequence: number;
}

/**
 * Writes down which calls are under way, so that they can be undone after the process was killed.
 *
 * What it throws is as if the disk had refused the call itself.
 */
export interface CallJournal {
  /** Called before the call can have changed anything. */
  begin(entry: CallEntry): JournaledCall;
}

export interface JournaledCall {
  /** For the transaction of the files: they count as committed when this call does. */
  readonly committedBy: CommitRecord;
  /** The one moment in which the call comes into force, session and files together. */
  commit(): void;
  /** Called when nothing of a call that is in force is still to be ended. */
  end(): void;
  /** Called when session and files are where the call found them. */
  undone(): void;
}

const journals = new WeakMap<object, CallJournal>();

/** Has the calls on `session` that change something written to `journal`. Returns how to end that. */
export function journalCalls(session: Session, journal: CallJournal): () => void {
  journals.set(session, journal);
  return () => void journals.delete(session);
}

export function journalOf(session: Session): CallJournal | undefined {
  return journals.get(behind(session));
}
