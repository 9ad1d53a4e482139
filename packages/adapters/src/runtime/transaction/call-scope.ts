import type { Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { CallLocks, type LockMode, Ticket } from "./call-locks.js";
import { CallNesting } from "./call-nesting.js";

/** Everything in the process that no call holds. */
const outermost = new CallLocks();

const OVER = "the tool call around this one is over";

/** A session or filesystem that a call needs. */
export interface Wanted {
  readonly resource: object;
  readonly mode: LockMode;
}

/**
 * What one call holds, and what the calls inside it may have of that.
 *
 * A call inside a call is known by the handles it works with: the session that the
 * outer handler was given (or one below it), or its filesystem. It does not wait for
 * what the outer one holds, and its transaction lies inside the outer one's.
 */
export class CallScope {
  readonly ticket: Ticket;
  readonly parent: CallScope | undefined;
  readonly #held: readonly Wanted[];
  /** These are made when a call inside asks for them: most calls have none inside. */
  #inside: CallLocks | undefined;
  #nesting: CallNesting | undefined;
  #calls: Set<Promise<unknown>> | undefined;
  #ending: AbortController | undefined;
  #over = false;

  /** Each resource is wanted once. */
  constructor(wanted: readonly Wanted[], parent: CallScope | undefined) {
    this.parent = parent;
    this.#held = wanted;
    this.ticket = new Ticket(
      wanted.map(({ resource, mode }) => ({ lock: lockFor(resource, parent), mode })),
    );
  }

  /** For the files that this call holds. */
  get nesting(): CallNesting {
    this.#nesting ??= new CallNesting();
    return this.#nesting;
  }

  /** Aborts when the call is over: nothing inside it may continue. */
  get ending(): AbortSignal {
    this.#ending ??= new AbortController();
    if (this.#over) this.#ending.abort(new Error(OVER));
    return this.#ending.signal;
  }

  /** Whether nobody else has `resource` from now on until this call ends. */
  tryHoldAlone(resource: object): boolean {
    return this.ticket.tryUpgrade(lockFor(resource, this.parent));
  }

  /** Whether every call on `resource` that was made before this one is over. */
  isFirst(resource: object): boolean {
    return this.ticket.isFirst(lockFor(resource, this.parent));
  }

  /** Starts over from the same place in the queues, and holds `resource` alone this time. */
  askAgainAlone(resource: object): void {
    this.#ending = undefined;
    this.#over = false;
    this.ticket.askAgainAlone(lockFor(resource, this.parent));
  }

  /** How this call or one around it holds `resource`. */
  modeOf(resource: object): LockMode | undefined {
    if (!this.#holds(resource)) return this.parent?.modeOf(resource);
    return this.ticket.modeOf(lockFor(resource, this.parent));
  }

  /** The call, this one or one around it, that holds `resource`. */
  holderOf(resource: object): CallScope | undefined {
    return this.#holds(resource) ? this : this.parent?.holderOf(resource);
  }

  locksInside(resource: object) {
    this.#inside ??= new CallLocks();
    return this.#inside.lockOf(resource);
  }

  /** Has the end of this call wait for a call inside it. */
  track(call: Promise<unknown>): void {
    this.#calls ??= new Set();
    const calls = this.#calls.add(call);
    const done = () => calls.delete(call);
    call.then(done, done);
  }

  /** Ends the calls inside and waits for them, if there are any. */
  end(): Promise<unknown> | undefined {
    this.#over = true;
    this.#ending?.abort(new Error(OVER));
    return this.#calls && Promise.allSettled(this.#calls);
  }

  #holds(resource: object): boolean {
    return this.#held.some((wanted) => wanted.resource === resource);
  }
}

/** Makes the call known that `handle` belongs to, and what it is a handle of. */
export function bindScope(handle: object, scope: CallScope, target: object): void {
  new Bound(handle, scope, behind(target));
}

/** What a handle stands for in the end; anything else stands for itself. */
export function behind(resource: object): object {
  return Bound.targetOf(resource) ?? resource;
}

/** The call that `handle` was made for; `undefined` for a session or filesystem that is not a handle. */
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

/** A base class whose instances are the objects they are given, so that a subclass puts its private fields on them. */
class Given {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is the point of this class.
    return value;
  }
}

/** The mark of a handle, where nobody else can see or change it. In a map on the side it would cost every collection of garbage. */
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
