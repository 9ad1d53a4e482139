import { makeEvent } from "../define/define-event.js";
import { coreOf, resumeSession, type Session } from "../session/session.js";
import type { SessionOptions } from "../session/session-options.js";
import { SessionSnapshot } from "../snapshot/session-snapshot.js";
import type { RecordedEvent } from "../state/event-trail.js";
import { isOwnEventType, OwnEvent } from "../state/own-events.js";
import { invalidLine, type LogRecord } from "./log-record.js";

export interface ReplayOptions extends Omit<SessionOptions, "id"> {
  /** Runs before the first event, for `register`. @default nothing */
  readonly prepare?: (session: Session) => void;
}

/** Builds a session from the records of a log, given in their order. */
export class Replayer {
  readonly #options: ReplayOptions;
  /** Events that a later record, or whoever replays, goes back to. */
  readonly #targets: ReadonlySet<number>;
  readonly #snapshots = new Map<number, SessionSnapshot>();
  #session: Session | undefined;
  #lineNumber = 0;

  constructor(options: ReplayOptions, targets: ReadonlySet<number>) {
    this.#options = options;
    this.#targets = targets;
  }

  /** The session so far, or `undefined` before the first record. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** The state after one of the events that were to be kept. */
  stateAfter(sequence: number): SessionSnapshot | undefined {
    return this.#snapshots.get(sequence);
  }

  apply(record: LogRecord): void {
    this.#lineNumber++;
    if (record.kind === "start") {
      if (this.#session) throw this.#invalid("a log starts once");
      this.#session = this.#start(record);
      this.#remember(this.#session);
      return;
    }
    if (!this.#session) throw this.#invalid("a log begins with its start");
    this.#continue(this.#session, record);
  }

  #start(record: LogRecord & { readonly kind: "start" }): Session {
    const { prepare, ...options } = this.#options;
    const state = SessionSnapshot.parse(record.state);
    if (record.lastSequence < state.sequence) throw this.#invalid("events are out of order");
    const session = resumeSession(state, options, record.lastSequence);
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
    if ((record.kind === "load") !== (event.type === OwnEvent.loadSnapshot))
      throw this.#invalid("an event of a type that only the session makes");
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
    if (!snapshot) throw this.#invalid("it goes back to an event that the log does not have");
    core.restore(snapshot, reason);
  }

  /** The event with its payload as the schema of today has it. */
  #check(session: Session, event: RecordedEvent): RecordedEvent {
    const declared = coreOf(session).store.eventOf(event.type);
    if (declared)
      return Object.freeze({ ...event, payload: makeEvent(declared, event.payload).payload });
    if (event.type.startsWith("wink.") && !isOwnEventType(event.type))
      throw this.#invalid("an event of a type that was never written");
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
