import type { Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { CallLocks, type LockMode, Ticket } from "./call-locks.js";
import { CallNesting } from "./call-nesting.js";

/** The locks for calls that are not nested in another call. */
const outermost = new CallLocks();

const OVER = "the outer tool call has ended";

/** A session or filesystem that a call needs. */
export interface Wanted {
  readonly resource: object;
  readonly mode: LockMode;
}

/**
 * The resources that a call has locked, and the locks of the calls nested in it.
 *
 * A nested call is recognised by its handles: it uses the session of the outer handler (or a
 * child of it) or its filesystem. It does not wait for the outer call's locks, and its
 * transaction is nested in the outer one.
 */
export class CallScope {
  readonly ticket: Ticket;
  readonly parent: CallScope | undefined;
  readonly #held: readonly Wanted[];
  /** Created on first use, because most calls have no nested calls. */
  #inside: CallLocks | undefined;
  #nesting: CallNesting | undefined;
  #calls: Set<Promise<unknown>> | undefined;
  #ending: AbortController | undefined;
  #over = false;

  /** @param wanted each resource at most once */
  constructor(wanted: readonly Wanted[], parent: CallScope | undefined) {
    this.parent = parent;
    this.#held = wanted;
    this.ticket = new Ticket(
      wanted.map(({ resource, mode }) => ({ lock: lockFor(resource, parent), mode })),
    );
  }

  /** For the files that this call has locked. */
  get nesting(): CallNesting {
    this.#nesting ??= new CallNesting();
    return this.#nesting;
  }

  /** Aborts when the call has ended, which cancels nested calls. */
  get ending(): AbortSignal {
    this.#ending ??= new AbortController();
    if (this.#over) this.#ending.abort(new Error(OVER));
    return this.#ending.signal;
  }

  /** Tries to get an exclusive lock on `resource` until this call ends. */
  tryHoldAlone(resource: object): boolean {
    return this.ticket.tryUpgrade(lockFor(resource, this.parent));
  }

  /** Whether every earlier call on `resource` has ended. */
  isFirst(resource: object): boolean {
    return this.ticket.isFirst(lockFor(resource, this.parent));
  }

  /** Starts again at the same position in the queues, with an exclusive claim on `resource`. */
  askAgainAlone(resource: object): void {
    this.#ending = undefined;
    this.#over = false;
    this.ticket.askAgainAlone(lockFor(resource, this.parent));
  }

  /** How this call or an outer one holds `resource`. */
  modeOf(resource: object): LockMode | undefined {
    if (!this.#holds(resource)) return this.parent?.modeOf(resource);
    return this.ticket.modeOf(lockFor(resource, this.parent));
  }

  /** The call that holds `resource`: this one or an outer one. */
  holderOf(resource: object): CallScope | undefined {
    return this.#holds(resource) ? this : this.parent?.holderOf(resource);
  }

  locksInside(resource: object) {
    this.#inside ??= new CallLocks();
    return this.#inside.lockOf(resource);
  }

  /** Makes the end of this call wait for a nested call. */
  track(call: Promise<unknown>): void {
    this.#calls ??= new Set();
    const calls = this.#calls.add(call);
    const done = () => calls.delete(call);
    call.then(done, done);
  }

  /** Cancels the nested calls and waits for them. */
  end(): Promise<unknown> | undefined {
    this.#over = true;
    this.#ending?.abort(new Error(OVER));
    return this.#calls && Promise.allSettled(this.#calls);
  }

  #holds(resource: object): boolean {
    return this.#held.some((wanted) => wanted.resource === resource);
  }
}

/** Registers the call that owns `handle`, and the target of the handle. */
export function bindScope(handle: object, scope: CallScope, target: object): void {
  new Bound(handle, scope, behind(target));
}

/** Returns the session or filesystem that a handle wraps. Returns any other object unchanged. */
export function behind(resource: object): object {
  return Bound.targetOf(resource) ?? resource;
}

/** The call that owns `handle`, or `undefined` for a session or filesystem that is not a handle. */
export function scopeOfHandle(handle: object): CallScope | undefined {
  return Bound.scopeOf(handle);
}

/** The call whose handler uses this session or these files, if any. */
export function scopeOf(
  session: Session,
  filesystem: Filesystem | undefined,
): CallScope | undefined {
  for (let each: Session | undefined = session; each; each = each.parent) {
    const scope = Bound.scopeOf(each);
    if (scope !== undefined) return scope;
  }
  return filesystem && Bound.scopeOf(filesystem);
}

/**
 * A base class whose constructor returns the given object, so that a subclass adds its private
 * fields to it.
 */
class Given {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is the point of this class.
    return value;
  }
}

/**
 * Marks a handle with private fields, which no other code can read or change. A WeakMap instead
 * would slow down every garbage collection.
 */
class Bound extends Given {
  readonly #scope: CallScope;
  readonly #target: object;

  constructor(handle: object, scope: CallScope, target: object) {
    super(handle);
    this.#scope = scope;
    this.#target = target;
  }

  static scopeOf(resource: object): CallScope | undefined {
    return #scope in resource ? resource.#scope : undefined;
  }

  static targetOf(resource: object): object | undefined {
    return #target in resource ? resource.#target : undefined;
  }
}

function lockFor(resource: object, scope: CallScope | undefined) {
  const holder = scope?.holderOf(resource);
  return holder === undefined ? outermost.lockOf(resource) : holder.locksInside(resource);
}
