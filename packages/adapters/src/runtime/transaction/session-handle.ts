import {
  type AnySliceToken,
  type DispatchOptions,
  type EventTrail,
  type ListSlice,
  type RecordedEvent,
  type RestoreOptions,
  Session,
  SessionError,
  type SessionEvent,
  type SessionHold,
  type SessionJournal,
  type SessionOptions,
  type SessionSnapshot,
  type SliceToken,
  type SnapshotJson,
  type StateSlice,
  type StateToken,
} from "@wink/session";
import { type HandleOwner, OWNER, resourceOf } from "./call-resource.js";
import type { CallScope } from "./call-scope.js";
import { guardSlice } from "./guarded-slice.js";
import type { LeftOpen } from "./handle-state.js";

/** Decides what the code that uses a handle may do. */
export interface SessionGuard {
  /** Whether the call has ended. */
  readonly revoked: boolean;
  /** Called before a change. If it throws, the change is refused. */
  requireSessionChange(): void;
  /**
   * Registers a resource to release when the call ends. If it throws, the resource is not
   * acquired.
   */
  keepOpen(left: LeftOpen): void;
}

/** The metadata of every event of a call. */
export interface CallMeta {
  readonly toolCallId: string;
  /** The turn of the model, counted from 0. Missing outside a loop. */
  readonly turn?: number;
}

export interface SessionHandleOptions {
  readonly target: Session;
  readonly guard: SessionGuard;
  /** The call that owns the handle. @default none, for a read-only view of another session */
  readonly scope?: CallScope;
  /** Recorded with every event dispatched through the handle. @default none */
  readonly meta?: CallMeta;
  /** Called with every event dispatched through the handle. @default none */
  readonly onDispatch?: (event: SessionEvent) => void;
}

/**
 * The session handle of one call.
 *
 * It is a `Session`, so a subagent's session can have it as its parent. It delegates to the run's
 * session, and its guard decides whether a change is allowed. No member returns the run's
 * session, because a change there would survive the call's rollback.
 */
export class SessionHandle extends Session {
  readonly [OWNER]: HandleOwner | undefined;
  readonly #target: Session;
  readonly #guard: SessionGuard;
  readonly #meta: CallMeta | undefined;
  readonly #onDispatch: ((event: SessionEvent) => void) | undefined;
  #views: Map<Session, SessionHandle> | undefined;

  constructor({ target, guard, scope, meta, onDispatch }: SessionHandleOptions) {
    const { id, tags, dispatcher } = target;
    super({ id, tags, dispatcher });
    this[OWNER] = scope && { scope, resource: resourceOf(target) };
    // The guard of an outer call must not refuse what the policies of a nested call record.
    this.#target = SessionHandle.targetOf(target);
    this.#guard = guard;
    this.#meta = meta;
    this.#onDispatch = onDispatch;
  }

  /** Read-only, because a call may change only its own session. */
  override get parent(): Session | undefined {
    const { parent } = this.#target;
    return parent && this.#viewOf(parent);
  }

  override get events(): EventTrail {
    return this.#target.events;
  }

  override get sequence(): number {
    return this.#target.sequence;
  }

  override get children(): readonly Session[] {
    return [...super.children, ...this.#target.children.map((child) => this.#viewOf(child))];
  }

  override dispatch<Type extends string, Payload>(
    event: SessionEvent<Type, Payload>,
    options: DispatchOptions = {},
  ): RecordedEvent<Type, Payload> {
    this.#guard.requireSessionChange();
    const recorded = this.#record(event, options);
    this.#onDispatch?.(recorded);
    return recorded;
  }

  /** The session that a handle wraps. Returns any other session unchanged. */
  static targetOf(session: Session): Session {
    return session instanceof SessionHandle ? session.#target : session;
  }

  /**
   * Dispatches an event of the loop itself. `session` is a handle if the call is nested in another
   * one.
   */
  static record(session: Session, event: SessionEvent, meta: CallMeta): void {
    const options = { meta: { ...meta } };
    if (!(session instanceof SessionHandle)) session.dispatch(event, options);
    else if (session.#guard.revoked) session.dispatch(event, options);
    else session.#record(event, options);
  }

  #record<Type extends string, Payload>(
    event: SessionEvent<Type, Payload>,
    { meta }: DispatchOptions = {},
  ): RecordedEvent<Type, Payload> {
    return this.#target.dispatch(event, { meta: { ...this.#meta, ...meta } });
  }

  override slice<Item>(token: SliceToken<string, Item>): ListSlice<Item>;
  override slice<Value>(token: StateToken<string, Value>): StateSlice<Value>;
  override slice(token: AnySliceToken): ListSlice<unknown> & StateSlice<unknown> {
    // The token's type decides between list and value slice. At run time they are one class.
    const slice = this.#installing.slice(token as SliceToken<string, unknown>);
    return guardSlice(slice, () => this.#guard.requireSessionChange());
  }

  override state<Value>(token: StateToken<string, Value>): Value {
    return this.#installing.state(token);
  }

  override install(...tokens: readonly AnySliceToken[]): this {
    // The base class's constructor also calls this, without tokens.
    if (!(#guard in this)) return this;
    this.#guard.requireSessionChange();
    this.#target.install(...tokens);
    return this;
  }

  override snapshot(): SessionSnapshot {
    return this.#target.snapshot();
  }

  override toJSON(): SnapshotJson {
    return this.#target.toJSON();
  }

  override restore(source: unknown, options?: RestoreOptions): void {
    this.#guard.requireSessionChange();
    // The base class has no state. This call throws if a child session of the handle is busy.
    super.restore(super.snapshot());
    this.#target.restore(source, options);
  }

  override reset(): void {
    this.#guard.requireSessionChange();
    this.#target.reset();
  }

  override clone(options?: Omit<SessionOptions, "slices" | "maxEvents" | "clock">): Session {
    return this.#target.clone(options);
  }

  override hold(): SessionHold {
    if (this.#guard.revoked) this.#guard.requireSessionChange();
    let hold: SessionHold | undefined;
    this.#guard.keepOpen({ discard: async () => hold?.release() });
    hold = this.#target.hold();
    return hold;
  }

  override attach(journal: SessionJournal): () => void {
    this.#guard.requireSessionChange();
    return this.#target.attach(journal);
  }

  override onClose(close: () => Promise<void> | void): () => void {
    this.#guard.requireSessionChange();
    return this.#target.onClose(close);
  }

  /** Always throws: the session belongs to the run and outlives the call. */
  override close(): Promise<never> {
    throw new SessionError("SESSION_BUSY", "close", "a tool cannot close the session of its run");
  }

  /**
   * The session for reading a slice, which installs the slice. After the call has ended it is a
   * copy, so that nothing is installed late.
   */
  get #installing(): Session {
    return this.#guard.revoked ? this.#target.clone() : this.#target;
  }

  /**
   * A read-only view of a session that does not belong to the call. A rollback could not undo
   * changes there.
   */
  #viewOf(target: Session): SessionHandle {
    this.#views ??= new Map();
    const view = this.#views.get(target) ?? new SessionHandle({ target, guard: READ_ONLY });
    this.#views.set(target, view);
    return view;
  }
}

const READ_ONLY: SessionGuard = Object.freeze({
  revoked: false,
  requireSessionChange: refuseChange,
  keepOpen: refuseChange,
});

function refuseChange(): never {
  throw new SessionError(
    "SESSION_BUSY",
    "change",
    "a tool can change only the session of its own call",
  );
}
