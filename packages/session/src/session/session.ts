import { isCheckedEvent, makeEvent, type SessionEvent } from "../define/define-event.js";
import type { SliceToken } from "../define/define-slice.js";
import type { StateToken } from "../define/define-state.js";
import { SessionError } from "../define/session-error.js";
import { partsOf, SessionSnapshot } from "../snapshot/session-snapshot.js";
import type { SnapshotJson } from "../snapshot/snapshot-json.js";
import { type EventTrail, type RecordedEvent, RecordedTrail } from "../state/event-trail.js";
import type { Position } from "../state/lineage.js";
import { freezeChange, OwnEvent } from "../state/own-events.js";
import type { AnySliceToken, InstalledSlice } from "../state/reduce-slice.js";
import { type ListSlice, SliceView, type StateSlice } from "../state/slice-view.js";
import { Delivery } from "./delivery.js";
import { type Dispatcher, publishTo } from "./dispatcher.js";
import { InProcessDispatcher } from "./in-process-dispatcher.js";
import { iterSessions } from "./iter-sessions.js";
import type { SessionJournal } from "./journal.js";
import { SessionCore } from "./session-core.js";
import {
  checkId,
  checkLimit,
  checkTags,
  type DispatchOptions,
  freezeMeta,
  type RestoreOptions,
  type SessionHold,
  type SessionOptions,
} from "./session-options.js";

/** The workings of a session, for the modules of this package that replay one. */
export let coreOf: (session: Session) => SessionCore;

/** A session that goes on from `snapshot` with event `lastSequence + 1`. For this package too. */
export let resumeSession: (
  snapshot: SessionSnapshot,
  options: SessionOptions,
  lastSequence: number,
) => Session;

/**
 * What an agent knows, changed by events alone.
 *
 * Dispatching is synchronous: when `dispatch` returns, every slice has changed
 * and every observer was told; when it throws, nothing has changed (but see
 * `event_storm`).
 */
export class Session implements Disposable {
  /**
   * A session that goes on from a snapshot: one that was taken, its JSON, or the
   * JSON's text. It has the snapshot's id and tags unless `options` say otherwise.
   *
   * Slices in `options.slices` are read through their migrations and schemas now,
   * the others are kept aside until they are installed.
   */
  static fromSnapshot(source: unknown, options: SessionOptions = {}): Session {
    const snapshot = SessionSnapshot.parse(source);
    return resumeSession(snapshot, options, snapshot.sequence);
  }

  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly #options: SessionOptions;
  readonly #delivery: Delivery<RecordedEvent>;
  readonly #children = new Set<Session>();
  #core: SessionCore;
  #parent: Session | undefined;
  /** How many holds sessions below this one have. */
  #heldBelow = 0;
  #closed = false;

  constructor(options: SessionOptions = {}) {
    this.id = checkId(options.id ?? crypto.randomUUID());
    this.tags = checkTags(options.tags ?? {});
    this.dispatcher = options.dispatcher ?? new InProcessDispatcher();
    this.#options = options;
    const maxChained = checkLimit("maxChainedEvents", options.maxChainedEvents, 1000);
    this.#delivery = new Delivery((event) => publishTo(this.dispatcher, event, this), maxChained);
    this.#core = this.#createCore(0);
    this.install(...(options.slices ?? []));
    this.#setParent(options.parent);
  }

  get parent(): Session | undefined {
    return this.#parent;
  }

  /** Every event so far, with its number and time. */
  get events(): EventTrail {
    return this.#core.trail;
  }

  /** The number of the last event that the present state comes from; 0 for none. */
  get sequence(): number {
    return this.#core.sequence;
  }

  /** The sessions that named this one as their parent and are not closed. */
  get children(): readonly Session[] {
    return [...this.#children];
  }

  /**
   * Applies an event to every slice that has a reducer for it, all or none, then
   * tells the observers. Returns the event as it was recorded.
   */
  dispatch<Type extends string, Payload>(
    event: SessionEvent<Type, Payload>,
    options: DispatchOptions = {},
  ): RecordedEvent<Type, Payload> {
    const recorded = this.#record(() => this.#check(event), options);
    // The same type, and a payload that the schema of that type let pass.
    return recorded as RecordedEvent<Type, Payload>;
  }

  /** A slice's items and the means to change them. Installs it if need be. */
  slice<Item>(token: SliceToken<string, Item>): ListSlice<Item>;
  slice<Value>(token: StateToken<string, Value>): StateSlice<Value>;
  slice(token: AnySliceToken): ListSlice<unknown> & StateSlice<unknown> {
    const slice = this.#install(token);
    return new SliceView<unknown>({
      name: token.name,
      kind: token.kind,
      content: () => slice.content,
      change: (type, payload) => {
        this.#record(() => ({ type, payload: freezeChange(payload) }));
      },
      register: (registration) => this.#core.store.register(slice, registration),
    });
  }

  /** The value of a state, or its initial one. */
  state<Value>(token: StateToken<string, Value>): Value {
    return this.slice(token).latest() ?? token.initial;
  }

  /**
   * Makes the session keep `tokens`. Each then holds what it would hold had it
   * been installed before the first event. Installing twice does nothing; another
   * definition of the same name is refused with `name_taken`.
   */
  install(...tokens: readonly AnySliceToken[]): this {
    for (const token of tokens) this.#install(token);
    return this;
  }

  /** The state at this moment, in time that depends on the number of slices alone. */
  snapshot(): SessionSnapshot {
    this.#refuseInReducer("snapshot");
    return new SessionSnapshot({ id: this.id, tags: this.tags, ...this.#core.capture() });
  }

  toJSON(): SnapshotJson {
    return this.snapshot().toJSON();
  }

  /**
   * Makes the state what it was when `source` was taken, exactly or not at all.
   *
   * Slices with `policy: "log"` stay as they are. Events since then are marked as
   * rolled back. A snapshot of another session, or its JSON, is taken over and
   * recorded as an event. Refused with `session_busy` during a dispatch and while
   * a session below this one holds it.
   */
  restore(source: unknown, { reason = "restored" }: RestoreOptions = {}): void {
    const snapshot = SessionSnapshot.parse(source);
    this.#refuseWhenClosed("restore");
    for (const session of iterSessions(this))
      if (session.#core.reducing || session.#delivery.running)
        throw busy("restore", "a dispatch is running");
    if (this.#heldBelow > 0) throw busy("restore", "a session below this one is at work");
    const recorded = this.#core.restore(snapshot, reason);
    if (recorded) this.#delivery.add(recorded);
  }

  /** Empties every slice, logs too. The events stay, and a restore undoes it for all but the logs. */
  reset(): void {
    this.#record(() => ({ type: OwnEvent.resetSession, payload: Object.freeze({}) }));
  }

  /**
   * A session of its own with the same slices, reducers and events, in time that
   * depends on the number of events. Observers, journal, parent and children stay behind.
   */
  clone(options: Omit<SessionOptions, "slices" | "maxEvents" | "clock"> = {}): Session {
    this.#refuseInReducer("clone");
    const { dispatcher: _, parent: __, id: ___, slices: ____, ...kept } = this.#options;
    const session = new Session({ ...kept, tags: this.tags, ...options });
    session.#core = this.#core.clone();
    return session;
  }

  /**
   * Keeps the sessions above this one from being restored until the hold is
   * released: what this one does rests on their state. Holds are counted.
   */
  hold(): SessionHold {
    const above: Session[] = [];
    for (let session = this.parent; session; session = session.parent) above.push(session);
    for (const session of above) session.#heldBelow++;
    const release = () => {
      for (const session of above.splice(0)) session.#heldBelow--;
    };
    return { release, [Symbol.dispose]: release };
  }

  /** Has everything that changes from now on written to `journal` first. Returns how to end that. */
  attach(journal: SessionJournal): () => void {
    if (this.#core.journal) throw busy("attach", "the session has a journal already");
    this.#core.journal = journal;
    return () => {
      if (this.#core.journal === journal) this.#core.journal = undefined;
    };
  }

  /** Refuses further changes and leaves the parent. What it knows can still be read. */
  close(): void {
    this.#closed = true;
    if (this.#parent) this.#parent.#children.delete(this);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  static {
    coreOf = (session) => session.#core;
    resumeSession = (snapshot, options, lastSequence) => {
      const { id, tags, position } = partsOf(snapshot);
      const { slices = [], parent, ...rest } = options;
      const session = new Session({ id, tags, ...rest });
      session.#core = session.#createCore(lastSequence, position);
      session.#core.begin(snapshot);
      session.install(...slices);
      // Last, so that a snapshot that is refused leaves no child behind.
      session.#setParent(parent);
      return session;
    };
  }

  #record(make: () => SessionEvent, { meta }: DispatchOptions = {}): RecordedEvent {
    this.#refuseWhenClosed("dispatch");
    if (this.#core.reducing) throw new SessionError("dispatch_in_reducer", { subject: "dispatch" });
    const event = make();
    this.#delivery.admit();
    const recorded = this.#core.record(event, meta && freezeMeta(meta, event.type));
    this.#delivery.add(recorded);
    return recorded;
  }

  /** The event itself if a token made it, else what the schema of its type makes of it. */
  #check(event: SessionEvent): SessionEvent {
    const type: unknown = event?.type;
    if (typeof type !== "string")
      throw new SessionError("argument_invalid", {
        subject: "dispatch",
        reason: "it takes an event",
      });
    const declared = this.#core.store.eventOf(type);
    if (isCheckedEvent(event, declared?.schema)) return event;
    if (declared) return makeEvent(declared, event.payload);
    throw new SessionError("event_unknown", {
      subject: `event '${type.slice(0, 128)}'`,
      reason: "it was not made by its token, and no slice that is installed knows its type",
    });
  }

  #install(token: AnySliceToken): InstalledSlice {
    const installed = this.#core.store.find(token);
    if (installed) return installed;
    this.#refuseInReducer("install");
    return this.#core.install(token);
  }

  #createCore(lastSequence: number, origin?: Position): SessionCore {
    const maxEvents = checkLimit("maxEvents", this.#options.maxEvents, Number.POSITIVE_INFINITY);
    const trail = new RecordedTrail({ maxEvents, lastSequence });
    return new SessionCore({ clock: this.#options.clock ?? Date.now }, trail, origin);
  }

  #setParent(parent: Session | undefined): void {
    if (!parent) return;
    parent.#refuseWhenClosed("a child");
    parent.#children.add(this);
    this.#parent = parent;
  }

  #refuseWhenClosed(subject: string): void {
    if (this.#closed) throw new SessionError("session_closed", { subject });
  }

  #refuseInReducer(subject: string): void {
    if (this.#core.reducing) throw busy(subject, "a reducer is running");
  }
}

function busy(subject: string, reason: string): SessionError {
  return new SessionError("session_busy", { subject, reason });
}
