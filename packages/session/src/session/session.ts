import { invalid, requireOptions, requireToken } from "../define/check-argument.js";
import type { SessionEvent } from "../define/define-event.js";
import type { SliceToken } from "../define/define-slice.js";
import type { StateToken } from "../define/define-state.js";
import { SessionError, sessionBusy } from "../define/session-error.js";
import { partsOf, SessionSnapshot } from "../snapshot/session-snapshot.js";
import type { SnapshotJson } from "../snapshot/snapshot-json.js";
import { type EventTrail, type RecordedEvent, RecordedTrail } from "../state/event-trail.js";
import { freezeChange, InternalEvent } from "../state/internal-events.js";
import type { Position } from "../state/lineage.js";
import type { AnySliceToken, InstalledSlice } from "../state/reduce-slice.js";
import { type ListSlice, SliceView, type StateSlice } from "../state/slice-view.js";
import { checkEvent } from "./check-event.js";
import { type Dispatcher, publishTo } from "./dispatcher.js";
import { EventQueue } from "./event-queue.js";
import { InProcessDispatcher } from "./in-process-dispatcher.js";
import { iterSessions } from "./iter-sessions.js";
import type { SessionJournal } from "./journal.js";
import { OpenedResources } from "./opened-resources.js";
import { SessionCore } from "./session-core.js";
import {
  checkId,
  checkLimit,
  checkSessionOptions,
  checkTags,
  type DispatchOptions,
  freezeMeta,
  isParent,
  type RestoreOptions,
  type SessionHold,
  type SessionOptions,
} from "./session-options.js";

/** The internals of a session, for modules of this package that replay one. */
export let coreOf: (session: Session) => SessionCore;

/** A session that continues from `snapshot` with event `lastSequence + 1`. Only for this package. */
export let resumeSession: (from: SessionSnapshot, options: SessionOptions, last: number) => Session;

const NO_OPTIONS: DispatchOptions = Object.freeze({});

/**
 * The state of an agent, changed only by events.
 *
 * Dispatching is synchronous. When `dispatch` returns, every slice has changed and every observer was called. When it
 * throws, nothing has changed (except for `EVENT_STORM`).
 */
export class Session implements AsyncDisposable {
  /**
   * Creates a session from a snapshot: a snapshot object, its JSON value, or the JSON text. It has the snapshot's id
   * and tags unless `options` override them.
   *
   * Slices in `options.slices` are read through their migrations and schemas immediately. Other slices are stored
   * unread until they are installed.
   */
  static fromSnapshot(source: unknown, options: SessionOptions = {}): Session {
    const snapshot = SessionSnapshot.parse(source);
    return resumeSession(snapshot, options, snapshot.sequence);
  }

  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly #options: SessionOptions;
  readonly #queue: EventQueue<RecordedEvent>;
  readonly #children = new Set<Session>();
  readonly #opened = new OpenedResources();
  #core: SessionCore;
  #parent: Session | undefined;
  /** How often descendants hold this session. A held session cannot be restored. */
  #heldBelow = 0;
  #closed = false;

  constructor(options: SessionOptions = {}) {
    checkSessionOptions(options);
    this.id = checkId(options.id ?? crypto.randomUUID());
    this.tags = checkTags(options.tags ?? {});
    this.dispatcher = options.dispatcher ?? new InProcessDispatcher();
    this.#options = options;
    const maxChained = checkLimit("maxChainedEvents", options.maxChainedEvents, 1000);
    this.#queue = new EventQueue((event) => publishTo(this.dispatcher, event, this), maxChained);
    this.#core = this.#createCore(0);
    this.install(...(options.slices ?? []));
    this.#setParent(options.parent);
  }

  get parent(): Session | undefined {
    return this.#parent;
  }

  /** All events so far, with number and time. */
  get events(): EventTrail {
    return this.#core.trail;
  }

  /** The number of the last event in the current state; 0 for none. */
  get sequence(): number {
    return this.#core.sequence;
  }

  /** The sessions with this one as parent that are not closed. */
  get children(): readonly Session[] {
    return [...this.#children];
  }

  /**
   * Applies an event to every slice with a reducer for it, to all or to none. Then calls the observers. Returns the
   * recorded event.
   */
  dispatch<Type extends string, Payload>(
    event: SessionEvent<Type, Payload>,
    options: DispatchOptions = NO_OPTIONS,
  ): RecordedEvent<Type, Payload> {
    if (options !== NO_OPTIONS) requireOptions("dispatch", options, ["meta"]);
    const recorded = this.#record(() => checkEvent(event, this.#core.store), options);
    // The same type, with a payload that passed the schema of that type.
    return recorded as RecordedEvent<Type, Payload>;
  }

  /** Reads and changes a slice. Installs it if necessary. */
  slice<Item>(token: SliceToken<string, Item>): ListSlice<Item>;
  slice<Value>(token: StateToken<string, Value>): StateSlice<Value>;
  slice(token: AnySliceToken): ListSlice<unknown> & StateSlice<unknown> {
    requireToken(token, "slice");
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

  /** The value of a state, or its initial value. */
  state<Value>(token: StateToken<string, Value>): Value {
    return this.slice(token).latest() ?? token.initial;
  }

  /**
   * Installs slices. Each has the content it would have if it had been installed before the first event. Installing a
   * token again does nothing. A different definition with the same name throws `NAME_TAKEN`.
   */
  install(...tokens: readonly AnySliceToken[]): this {
    for (const token of tokens) {
      requireToken(token, "install");
      this.#install(token);
    }
    return this;
  }

  /** The current state. Takes time proportional to the number of slices, not to their size. */
  snapshot(): SessionSnapshot {
    this.#refuseInReducer("snapshot");
    return new SessionSnapshot({ id: this.id, tags: this.tags, ...this.#core.capture() });
  }

  toJSON(): SnapshotJson {
    return this.snapshot().toJSON();
  }

  /**
   * Restores the state of a snapshot exactly, or throws and changes nothing.
   *
   * Slices with `policy: "log"` do not change. Later events are marked as rolled back. A snapshot of another session,
   * or JSON, is loaded and recorded as an event. Throws `SESSION_BUSY` during a dispatch and while a descendant holds
   * this session.
   */
  restore(source: unknown, options: RestoreOptions = {}): void {
    requireOptions("restore", options, ["reason"]);
    const { reason = "restored" } = options;
    const snapshot = SessionSnapshot.parse(source);
    this.#refuseWhenClosed("restore");
    for (const session of iterSessions(this))
      if (session.#core.reducing || session.#queue.running)
        throw sessionBusy("restore", "a dispatch is running");
    if (this.#heldBelow > 0) throw sessionBusy("restore", "a descendant session holds it");
    const recorded = this.#core.restore(snapshot, reason);
    if (recorded) this.#queue.add(recorded);
  }

  /** Empties every slice, including logs. The events stay. A restore undoes the reset, except for logs. */
  reset(): void {
    this.#record(() => ({ type: InternalEvent.resetSession, payload: Object.freeze({}) }));
  }

  /**
   * An independent session with the same slices, reducers and events. Takes time proportional to the number of events.
   * Observers, journal, parent and children are not copied.
   */
  clone(options: Omit<SessionOptions, "slices" | "maxEvents" | "clock"> = {}): Session {
    this.#refuseInReducer("clone");
    const { dispatcher: _, parent: __, id: ___, slices: ____, ...kept } = this.#options;
    const session = new Session({ ...kept, tags: this.tags, ...options });
    session.#core = this.#core.clone();
    return session;
  }

  /**
   * Prevents a restore of the ancestors until the hold is released, because this session depends on their state. Holds
   * are counted.
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

  /** Writes every later change to `journal` before it is committed. Returns a function that detaches the journal. */
  attach(journal: SessionJournal): () => void {
    if (this.#core.journal) throw sessionBusy("attach", "the session already has a journal");
    this.#core.journal = journal;
    return () => {
      if (this.#core.journal === journal) this.#core.journal = undefined;
    };
  }

  /**
   * Calls `close` once when the session is closed. For a section that opens something for the session, such as a
   * container. Returns a function that cancels it.
   */
  onClose(close: () => Promise<void> | void): () => void {
    if (typeof close !== "function") throw invalid("onClose", "it must be a function.");
    this.#refuseWhenClosed("onClose");
    return this.#opened.add(close);
  }

  /**
   * Rejects further changes and leaves the parent, both immediately. Then closes what sections opened for the session,
   * the newest first, and rejects if that fails. The state can still be read.
   */
  close(): Promise<void> {
    this.#closed = true;
    if (this.#parent) this.#parent.#children.delete(this);
    return this.#opened.closeAll();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
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
      // Last, so that a rejected snapshot leaves no child in the parent.
      session.#setParent(parent);
      return session;
    };
  }

  #record(make: () => SessionEvent, { meta }: DispatchOptions = {}): RecordedEvent {
    this.#refuseWhenClosed("dispatch");
    if (this.#core.reducing) throw new SessionError("DISPATCH_IN_REDUCER", "dispatch");
    const event = make();
    this.#queue.admit();
    const recorded = this.#core.record(event, meta && freezeMeta(meta, event.type));
    this.#queue.add(recorded);
    return recorded;
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
    if (!isParent(parent)) return;
    parent.#refuseWhenClosed("a child");
    parent.#children.add(this);
    this.#parent = parent;
  }

  #refuseWhenClosed(subject: string): void {
    if (this.#closed) throw new SessionError("SESSION_CLOSED", subject);
  }

  #refuseInReducer(subject: string): void {
    if (this.#core.reducing) throw sessionBusy(subject, "a reducer is running");
  }
}
