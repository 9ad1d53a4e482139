import type { SessionSnapshot } from "../snapshot/session-snapshot.js";
import type { RecordedEvent } from "../state/event-trail.js";

/**
 * One change of a session: an event, a return to the state after an earlier event, or a load of another session's
 * state.
 */
export type JournalEntry =
  | { readonly kind: "event"; readonly event: RecordedEvent }
  | {
      readonly kind: "restore";
      /** The state is the one after this event again. */
      readonly sequence: number;
      readonly reason: string;
      readonly timestampMs: number;
      readonly snapshot: SessionSnapshot;
    }
  | {
      readonly kind: "load";
      readonly event: RecordedEvent;
      /** Stored with the events that the load rolled back. */
      readonly reason: string;
      readonly snapshot: SessionSnapshot;
    };

/**
 * Writes each change of a session before it is committed.
 *
 * If `write` throws, the change does not happen and the caller gets `LOG_FAILED`. In contrast, an observer cannot
 * prevent a change.
 */
export interface SessionJournal {
  write(entry: JournalEntry): void;
}
