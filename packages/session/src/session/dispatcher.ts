import type { RecordedEvent } from "../state/event-trail.js";
import type { Session } from "./session.js";

/**
 * Publishes a session's events.
 *
 * `publish` is called once per event, in order, after the session has changed. It must not throw; an error is printed
 * and otherwise ignored.
 */
export interface Dispatcher {
  publish(event: RecordedEvent, session: Session): void;
}

/** Publishes an event and prints errors of the dispatcher. */
export function publishTo(dispatcher: Dispatcher, event: RecordedEvent, session: Session): void {
  try {
    dispatcher.publish(event, session);
  } catch (error) {
    console.error(`The dispatcher failed on event ${event.sequence}:`, error);
  }
}
