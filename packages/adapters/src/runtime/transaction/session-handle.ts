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
  /** Recorded with every event that is dispatched through the handle. `undefined` for a handle that dispatches none. */
  readonly toolCallId: string | undefined;
  /** Called before the state is read. What it throws prevents the read. */
  readonly beforeLook: () => void;
  /** Called before a change. What it throws prevents the change. */
  readonly beforeChange: () => void;
  /** Whether the call has ended. */
  readonly isOver: () => boolean;
  /** Registers what must be released when the call ends. What it throws prevents the hold. */
  readonly keepOpen: (left: LeftOpen) => void;
}

/**
 * The session as one call may use it.
 *
 * It is a session, so that the session of a subagent can have it as its parent. The session behind it does
 * the work, and `beforeChange` decides whether that session may change. No member returns the session behind
 * it, because changes through that one would outlast the call and its rollback.
 */
export class SessionHandle extends Session {
  readonly #options: SessionHandleOptions;

  constructor(options: SessionHandleOptions) {
    const { id, tags, dispatcher } = options.target;
    super({ id, tags, dispatcher });
    this.#options = options;
  }

  /** To read. A call changes its own session alone. */
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
    // The token says which of the two it is; at run time they are one class.
    const slice = this.#installing.slice(token as SliceToken<string, unknown>);
    return guardSlice(slice, this.#options.beforeChange);
  }

  override state<Value>(token: StateToken<string, Value>): Value {
    return this.#installing.state(token);
  }

  override install(...tokens: readonly AnySliceToken[]): this {
    // The constructor of the base class calls this too, with no tokens.
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
    // The base class, whose state is empty, refuses while a session below the handle is at work.
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

  /** Refused: the session belongs to the run, and outlives the call. */
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

  /** What reads a slice, which installs it. After the end of the call it is a copy, so that nothing is installed late. */
  get #installing(): Session {
    return this.#options.isOver() ? this.#seen.clone() : this.#seen;
  }

  get #target(): Session {
    return this.#options.target;
  }
}

const views = new WeakMap<Session, SessionHandle>();

/** A session that is not the call's, to read: a rollback of the call could not undo what it changes there. */
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
