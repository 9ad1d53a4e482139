import { makeEvent } from "../define/define-event.js";
import { coreOf, resumeSession, type Session } from "../session/session.js";
import { SESSION_OPTIONS, type SessionOptions } from "../session/session-options.js";
import { partsOf, SessionSnapshot } from "../snapshot/session-snapshot.js";
import type { RecordedEvent } from "../state/event-trail.js";
import { InternalEvent, isInternalEventType } from "../state/internal-events.js";
import { invalidLine, type LogRecord } from "./log-record.js";

export interface ReplayOptions extends Omit<SessionOptions, "id"> {
  /** Called before the first event, to register reducers. @default not called */
  readonly prepare?: (session: Session) => void;
}

/** The names of {@link ReplayOptions}. */
export const REPLAY_OPTIONS: readonly string[] = [
  ...SESSION_OPTIONS.filter((name) => name !== "id"),
  "prepare",
];

/** Builds a session from the records of a log, in order. */
export class Replayer {
  readonly #options: ReplayOptions;
  /** The events whose state is needed later, by a restore record or by the caller. */
  readonly #targets: ReadonlySet<number>;
  readonly #snapshots: Map<number, SessionSnapshot>;
  #session: Session | undefined;
  #lineNumber = 0;

  constructor(
    options: ReplayOptions,
    targets: ReadonlySet<number>,
    snapshots = new Map<number, SessionSnapshot>(),
  ) {
    this.#options = options;
    this.#targets = targets;
    this.#snapshots = snapshots;
  }

  /** Continues from a state in the middle of the log. The session has no events from before it. */
  resume(state: SessionSnapshot, lastSequence: number, lineNumber: number): void {
    this.#session = this.#resume(state, lastSequence);
    this.#lineNumber = lineNumber;
  }

  /** The session so far, or `undefined` before the first record. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** The state after one of the target events. */
  stateAfter(sequence: number): SessionSnapshot | undefined {
    return this.#snapshots.get(sequence);
  }

  apply(record: LogRecord): void {
    this.#lineNumber++;
    if (record.kind === "start") {
      if (this.#session) throw this.#invalid("the log has a second start record");
      this.#session = this.#start(record);
      this.#remember(this.#session);
      return;
    }
    if (!this.#session) throw this.#invalid("the first record is not a start record");
    this.#continue(this.#session, record);
  }

  #start(record: LogRecord & { readonly kind: "start" }): Session {
    const state = SessionSnapshot.parse(record.state);
    if (record.lastSequence < state.sequence) throw this.#invalid("events are out of order");
    return this.#resume(state, record.lastSequence);
  }

  #resume(state: SessionSnapshot, lastSequence: number): Session {
    const { prepare, ...options } = this.#options;
    const session = resumeSession(state, options, lastSequence);
    prepare?.(session);
    return session;
  }

  #continue(session: Session, record: Exclude<LogRecord, { readonly kind: "start" }>): void {
    const core = coreOf(session);
    if (record.kind === "restore") {
      this.#restore(session, record);
      return;
    }
    const { event } = record;
    if (event.sequence !== core.trail.lastSequence + 1) throw this.#invalid("an event is missing");
    if ((record.kind === "load") !== (event.type === InternalEvent.loadSnapshot))
      throw this.#invalid("only the session itself may write this type of event");
    if (record.kind === "load")
      core.load(event, SessionSnapshot.parse(record.state), record.reason);
    else core.apply(this.#check(session, event));
    this.#remember(session);
  }

  #restore(session: Session, record: LogRecord & { readonly kind: "restore" }): void {
    const core = coreOf(session);
    const { sequence, reason, state } = record;
    if (state) {
      const position = core.foreignPosition(sequence);
      core.returnTo(SessionSnapshot.parse(state), position, reason);
      return;
    }
    const snapshot = this.#snapshots.get(sequence);
    if (!snapshot)
      throw this.#invalid("it restores the state after an event that is not in the log");
    core.returnTo(snapshot, partsOf(snapshot).position, reason);
  }

  /** The event with its payload checked by the current schema. */
  #check(session: Session, event: RecordedEvent): RecordedEvent {
    const declared = coreOf(session).store.eventOf(event.type);
    if (declared)
      return Object.freeze({ ...event, payload: makeEvent(declared, event.payload).payload });
    if (event.type.startsWith("wink.") && !isInternalEventType(event.type))
      throw this.#invalid("unknown event type with the reserved prefix 'wink.'");
    return event;
  }

  #remember(session: Session): void {
    const { sequence } = session;
    if (this.#targets.has(sequence)) this.#snapshots.set(sequence, session.snapshot());
  }

  #invalid(reason: string) {
    return invalidLine(this.#lineNumber, reason);
  }
}
