import { isCheckedEvent, makeEvent, type SessionEvent } from "../define/define-event.js";
import { SessionError } from "../define/session-error.js";
import type { SliceStore } from "../state/slice-store.js";

/** The event itself if a token made it. Otherwise a new event, checked by the schema of its type. */
export function checkEvent(event: SessionEvent, store: SliceStore): SessionEvent {
  const type: unknown = event?.type;
  if (typeof type !== "string")
    throw new SessionError("ARGUMENT_INVALID", "dispatch", "the argument must be an event");
  const declared = store.eventOf(type);
  if (isCheckedEvent(event, declared?.schema)) return event;
  if (declared) return makeEvent(declared, event.payload);
  throw new SessionError(
    "EVENT_UNKNOWN",
    `event '${type.slice(0, 128)}'`,
    "no token made it, and no installed slice knows its type",
  );
}
