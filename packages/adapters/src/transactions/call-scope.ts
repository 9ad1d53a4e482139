import type { Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { CallLocks, type LockMode, Ticket } from "./call-locks.js";

/** Everything in the process that no call holds. */
const outermost = new CallLocks();

/** For each handle that a handler was given: its call, and what it is a handle of. */
const handles = new WeakMap<object, { readonly scope: CallScope; readonly target: object }>();
const OVER = "the tool call around this one is over";

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
  readonly #held: ReadonlySet<object>;
  readonly #inside = new CallLocks();
  readonly #calls = new Set<Promise<unknown>>();
  /** Made when somebody inside asks for it: most calls have nobody inside. */
  #ending: AbortController | undefined;
  #over = false;

  constructor(wanted: ReadonlyMap<object, LockMode>, parent: CallScope | undefined) {
    this.parent = parent;
    this.#held = new Set(wanted.keys());
    this.ticket = new Ticket(
      [...wanted].map(([resource, mode]) => ({ lock: lockFor(resource, parent), mode })),
    );
  }

  /** Aborts when the call is over: nothing inside it may go on. */
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
    if (!this.#held.has(resource)) return this.parent?.modeOf(resource);
    return this.ticket.modeOf(lockFor(resource, this.parent));
  }

  /** The call, this one or one around it, that holds `resource`. */
  holderOf(resource: object): CallScope | undefined {
    return this.#held.has(resource) ? this : this.parent?.holderOf(resource);
  }

  locksInside(resource: object) {
    return this.#inside.lockOf(resource);
  }

  /** Has the end of this call wait for a call inside it. */
  track(call: Promise<unknown>): void {
    this.#calls.add(call);
    const done = () => this.#calls.delete(call);
    call.then(done, done);
  }

  /** Ends the calls inside and waits for them. */
  async end(): Promise<void> {
    this.#over = true;
    this.#ending?.abort(new Error(OVER));
    if (this.#calls.size > 0) await Promise.allSettled(this.#calls);
  }
}

/** Makes the call known that `handle` belongs to, and what it is a handle of. */
export function bindScope(handle: object, scope: CallScope, target: object): void {
  handles.set(handle, { scope, target: behind(target) });
}

/** What a handle stands for in the end; anything else stands for itself. */
export function behind(resource: object): object {
  return handles.get(resource)?.target ?? resource;
}

/** The call that somebody with these handles works for, if any. */
export function scopeOf(
  session: Session,
  filesystem: Filesystem | undefined,
): CallScope | undefined {
  for (let each: Session | undefined = session; each; each = each.parent) {
    const scope = handles.get(each)?.scope;
    if (scope !== undefined) return scope;
  }
  return filesystem && handles.get(filesystem)?.scope;
}

function lockFor(resource: object, scope: CallScope | undefined) {
  const holder = scope?.holderOf(resource);
  return holder === undefined ? outermost.lockOf(resource) : holder.locksInside(resource);
}
