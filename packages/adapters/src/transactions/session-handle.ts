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

export interface SessionHandleOptions {
  readonly target: Session;
  /** Stands with every event that is dispatched through the handle. */
  readonly toolCallId: string;
  /** Called before anything of the state is looked at. What it throws keeps it from being seen. */
  readonly beforeLook: () => void;
  /** Called before anything is changed. What it throws keeps the change from happening. */
  readonly beforeChange: () => void;
}

/**
 * The session as one call may use it.
 *
 * It is a session, so that a subagent's can name it as its parent; all it does is
 * done by the session behind it. `beforeChange` decides whether that may change.
 */
export class SessionHandle extends Session {
  readonly #options: SessionHandleOptions;

  constructor(options: SessionHandleOptions) {
    const { id, tags, dispatcher } = options.target;
    super({ id, tags, dispatcher });
    this.#options = options;
  }

  /** The session behind the handle: what works on it lies above what works on the handle. */
  override get parent(): Session | undefined {
    return this.#target;
  }

  override get events(): EventTrail {
    return this.#seen.events;
  }

  override get sequence(): number {
    return this.#seen.sequence;
  }

  override get children(): readonly Session[] {
    return [...super.children, ...this.#target.children];
  }

  override dispatch<Type extends string, Payload>(
    event: SessionEvent<Type, Payload>,
    options: DispatchOptions = {},
  ): RecordedEvent<Type, Payload> {
    this.#options.beforeChange();
    const { toolCallId } = this.#options;
    return this.#target.dispatch(event, { meta: { toolCallId, ...options.meta } });
  }

  override slice<Item>(token: SliceToken<string, Item>): ListSlice<Item>;
  override slice<Value>(token: StateToken<string, Value>): StateSlice<Value>;
  override slice(token: AnySliceToken): ListSlice<unknown> & StateSlice<unknown> {
    // Which of the two it is the token says; at run time they are one class.
    const slice = this.#seen.slice(token as SliceToken<string, unknown>);
    return guardSlice(slice, this.#options.beforeChange);
  }

  override state<Value>(token: StateToken<string, Value>): Value {
    return this.#seen.state(token);
  }

  override install(...tokens: readonly AnySliceToken[]): this {
    // While the base class is being made it installs its own, and there are none.
    if (#options in this) this.#target.install(...tokens);
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
    return this.#target.hold();
  }

  override attach(journal: SessionJournal): () => void {
    this.#options.beforeChange();
    return this.#target.attach(journal);
  }

  /** Refused: a call does not end the session that it was lent. */
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

  get #target(): Session {
    return this.#options.target;
  }
}
