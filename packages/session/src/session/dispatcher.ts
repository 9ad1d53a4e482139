import type { RecordedEvent } from "../state/event-trail.js";
import type { Session } from "./session.js";

/**
 * Tells others of a session's events.
 *
 * `publish` is called once for each event, in their order, after the session has
 * changed. It must not throw: what it throws is printed and otherwise ignored.
 */
export interface Dispatcher {
  publish(event: RecordedEvent, session: Session): void;
}

/** Publishes an event so that nothing comes back. */
export function publishTo(dispatcher: Dispatcher, event: RecordedEvent, session: Session): void {
  try {
    dispatcher.publish(event, session);
  } catch (error) {
    console.error(`The dispatcher failed on event ${event.sequence}:`, error);
  }
}
