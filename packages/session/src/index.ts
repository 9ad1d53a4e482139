export {
  defineEvent,
  type EventDeclaration,
  type EventToken,
  type PayloadOf,
  type SessionEvent,
} from "./define-event.js";
export {
  type DefineSliceOptions,
  defineSlice,
  type ListReducer,
  type ListRegistration,
  type OnList,
  type SliceToken,
} from "./define-slice.js";
export {
  type DefineStateOptions,
  defineState,
  type OnState,
  type StateReducer,
  type StateRegistration,
  type StateToken,
} from "./define-state.js";
export type {
  Migration,
  Registration,
  SliceDefinition,
  SliceOptions,
  SlicePolicy,
} from "./definition.js";
export type { Dispatcher } from "./dispatcher.js";
export type { EventTrail, RecordedEvent, RolledBack } from "./event-trail.js";
export {
  InProcessDispatcher,
  type InProcessDispatcherOptions,
  type Observer,
  type Unsubscribe,
} from "./in-process-dispatcher.js";
export { iterSessions } from "./iter-sessions.js";
export type { JournalEntry, SessionJournal } from "./journal.js";
export type { JsonObject, JsonScalar, JsonValue } from "./json-value.js";
export type { AnySliceToken } from "./reduce-slice.js";
export {
  appendAll,
  type ItemKey,
  type ItemReducer,
  replaceLatest,
  replaceLatestBy,
  upsertBy,
} from "./reducers.js";
export { Session } from "./session.js";
export {
  isSessionError,
  SessionError,
  type SessionErrorCode,
  type SessionErrorOptions,
} from "./session-error.js";
export type {
  DispatchOptions,
  RestoreOptions,
  SessionHold,
  SessionOptions,
} from "./session-options.js";
export { SessionSnapshot } from "./session-snapshot.js";
export type { ListSlice, SliceReader, StateSlice } from "./slice-view.js";
export type { SnapshotJson, StoredSliceJson } from "./snapshot-json.js";
export type { StableSchema } from "./stable-schema.js";
