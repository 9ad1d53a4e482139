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
import { guardSlice } from "./guarded-slice.js";
import type { LeftOpen } from "./handle-state.js";

export interface SessionHandleOptions {
  readonly target: Session;
  /**
   * Recorded with every event dispatched through the handle. `undefined` for a read-only handle.
   */
  readonly toolCallId: string | undefined;
  /** Called before the state is read. If it throws, the read is refused. */
  readonly beforeLook: () => void;
  /** Called before a change. If it throws, the change is refused. */
  readonly beforeChange: () => void;
  /** Whether the call has ended. */
  readonly isOver: () => boolean;
  /**
   * Registers a resource to release when the call ends. If it throws, the resource is not
   * acquired.
   */
  readonly keepOpen: (left: LeftOpen) => void;
}

/**
 * The session handle of one call.
 *
 * It is a `Session`, so a subagent's session can have it as its parent. It delegates to the run's
 * session, and `beforeChange` decides whether a change is allowed. No member returns the run's
 * session, because a change there would survive the call's rollback.
 */
export class SessionHandle extends Session {
  readonly #options: SessionHandleOptions;

  constructor(options: SessionHandleOptions) {
    const { id, tags, dispatcher } = options.target;
    super({ id, tags, dispatcher });
    this.#options = options;
  }

  /** Read-only, because a call may change only its own session. */
  override get parent(): Session | undefined {
    const { parent } = this.#target;
    return parent && viewOf(parent);
  }

  override get events(): EventTrail {
    return this.#seen.events;
  }

  override get sequence(): number {
    return this.#seen.sequence;
  }

  override get children(): readonly Session[] {
    return [...super.children, ...this.#target.children.map(viewOf)];
  }

  override dispatch<Type extends string, Payload>(
    event: SessionEvent<Type, Payload>,
    options: DispatchOptions = {},
  ): RecordedEvent<Type, Payload> {
    this.#options.beforeChange();
    const { toolCallId } = this.#options;
    const known = toolCallId === undefined ? {} : { toolCallId };
    return this.#target.dispatch(event, { meta: { ...known, ...options.meta } });
  }

  override slice<Item>(token: SliceToken<string, Item>): ListSlice<Item>;
  override slice<Value>(token: StateToken<string, Value>): StateSlice<Value>;
  override slice(token: AnySliceToken): ListSlice<unknown> & StateSlice<unknown> {
    // The token's type decides between list and value slice. At run time they are one class.
    const slice = this.#installing.slice(token as SliceToken<string, unknown>);
    return guardSlice(slice, this.#options.beforeChange);
  }

  override state<Value>(token: StateToken<string, Value>): Value {
    return this.#installing.state(token);
  }

  override install(...tokens: readonly AnySliceToken[]): this {
    // The base class's constructor also calls this, without tokens.
    if (!(#options in this)) return this;
    this.#options.beforeChange();
    this.#target.install(...tokens);
    return this;
  }

  override snapshot(): SessionSnapshot {
    return this.#seen.snapshot();
  }

  override toJSON(): SnapshotJson {
    return this.#seen.toJSON();
  }

  override restore(source: unknown, options?: RestoreOptions): void {
    this.#options.beforeChange();
    // The base class has no state. This call throws if a child session of the handle is busy.
    super.restore(super.snapshot());
    this.#target.restore(source, options);
  }

  override reset(): void {
    this.#options.beforeChange();
    this.#target.reset();
  }

  override clone(options?: Omit<SessionOptions, "slices" | "maxEvents" | "clock">): Session {
    return this.#seen.clone(options);
  }

  override hold(): SessionHold {
    const { isOver, beforeChange, keepOpen } = this.#options;
    if (isOver()) beforeChange();
    let hold: SessionHold | undefined;
    keepOpen({ giveUp: async () => hold?.release() });
    hold = this.#target.hold();
    return hold;
  }

  override attach(journal: SessionJournal): () => void {
    this.#options.beforeChange();
    return this.#target.attach(journal);
  }

  /** Always throws: the session belongs to the run and outlives the call. */
  override close(): void {
    throw new SessionError("session_busy", {
      subject: "close",
      reason: "a tool cannot close the session of its run",
    });
  }

  override [Symbol.dispose](): void {
    this.close();
  }

  get #seen(): Session {
    this.#options.beforeLook();
    return this.#target;
  }

  /**
   * The session for reading a slice, which installs the slice. After the call has ended it is a
   * copy, so that nothing is installed late.
   */
  get #installing(): Session {
    return this.#options.isOver() ? this.#seen.clone() : this.#seen;
  }

  get #target(): Session {
    return this.#options.target;
  }
}

const views = new WeakMap<Session, SessionHandle>();

/**
 * A read-only view of a session that does not belong to the call. A rollback could not undo
 * changes there.
 */
function viewOf(target: Session): SessionHandle {
  const known = views.get(target);
  if (known !== undefined) return known;
  const view = new SessionHandle({
    target,
    toolCallId: undefined,
    beforeLook: () => {},
    beforeChange: refuseChange,
    isOver: () => false,
    keepOpen: refuseChange,
  });
  views.set(target, view);
  return view;
}

function refuseChange(): never {
  throw new SessionError("session_busy", {
    subject: "change",
    reason: "a tool can change only the session of its own call",
  });
}
