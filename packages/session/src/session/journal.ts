import type { SessionSnapshot } from "../snapshot/session-snapshot.js";
import type { RecordedEvent } from "../state/event-trail.js";

/**
 * Something that happened to a session: an event; a return to the state after an
 * earlier event of its own; or another session's state taken over.
 */
export type JournalEntry =
  | { readonly kind: "event"; readonly event: RecordedEvent }
  | {
      readonly kind: "restore";
      /** The state is again what it was after this event. */
      readonly sequence: number;
      readonly reason: string;
      readonly timestampMs: number;
      readonly snapshot: SessionSnapshot;
    }
  | {
      readonly kind: "load";
      readonly event: RecordedEvent;
      /** Stands with the events that were undone by it. */
      readonly reason: string;
      readonly snapshot: SessionSnapshot;
    };

/**
 * Writes down what happens to a session, before it is in force.
 *
 * When `write` throws, the change does not happen and the caller gets
 * `log_failed`. Unlike an observer it is part of the session.
 */
export interface SessionJournal {
  write(entry: JournalEntry): void;
}
