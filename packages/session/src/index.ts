export {
  defineEvent,
  type EventDeclaration,
  type EventToken,
  type PayloadOf,
  type SessionEvent,
} from "./define/define-event.js";
export {
  type DefineSliceOptions,
  defineSlice,
  type ListReducer,
  type OnList,
  type SliceToken,
} from "./define/define-slice.js";
export {
  type DefineStateOptions,
  defineState,
  type OnState,
  type StateReducer,
  type StateToken,
} from "./define/define-state.js";
export type {
  Registration,
  SliceDefinition,
  SliceOptions,
} from "./define/definition.js";
export type { JsonObject, JsonValue } from "./define/json-value.js";
export {
  appendAll,
  type ItemKey,
  replaceLatest,
  replaceLatestBy,
  upsertBy,
} from "./define/reducers.js";
export {
  isSessionError,
  SessionError,
} from "./define/session-error.js";
export type { StableSchema } from "./define/stable-schema.js";
export type { Dispatcher } from "./session/dispatcher.js";
export {
  InProcessDispatcher,
  type Observer,
} from "./session/in-process-dispatcher.js";
export { iterSessions } from "./session/iter-sessions.js";
export type { JournalEntry, SessionJournal } from "./session/journal.js";
export { Session } from "./session/session.js";
export type {
  DispatchOptions,
  RestoreOptions,
  SessionHold,
  SessionOptions,
} from "./session/session-options.js";
export { SessionSnapshot } from "./snapshot/session-snapshot.js";
export type { SnapshotJson } from "./snapshot/snapshot-json.js";
export type { EventTrail, RecordedEvent } from "./state/event-trail.js";
export type { AnySliceToken } from "./state/reduce-slice.js";
export type { ListSlice, SliceReader, StateSlice } from "./state/slice-view.js";
