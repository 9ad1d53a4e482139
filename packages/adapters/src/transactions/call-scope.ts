import type { Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { CallLocks, type Claim, type LockMode, Ticket } from "./call-locks.js";

/** Everything in the process that no call holds. */
const outermost = new CallLocks();

/** Where a handle keeps its call and what it is a handle of. In a map on the side it would cost every collection of garbage. */
const BOUND = Symbol("bound");

interface Binding {
  readonly scope: CallScope;
  readonly target: object;
}

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
  readonly #held: ReadonlyMap<object, LockMode>;
  /** These are made when somebody inside asks for them: most calls have nobody inside. */
  #inside: CallLocks | undefined;
  #calls: Set<Promise<unknown>> | undefined;
  #ending: AbortController | undefined;
  #over = false;

  constructor(wanted: ReadonlyMap<object, LockMode>, parent: CallScope | undefined) {
    this.parent = parent;
    this.#held = wanted;
    const claims: Claim[] = [];
    for (const [resource, mode] of wanted) claims.push({ lock: lockFor(resource, parent), mode });
    this.ticket = new Ticket(claims);
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
}

/** Makes the call known that `handle` belongs to, and what it is a handle of. */
export function bindScope(handle: object, scope: CallScope, target: object): void {
  const binding: Binding = { scope, target: behind(target) };
  Object.defineProperty(handle, BOUND, { value: binding });
}

/** What a handle stands for in the end; anything else stands for itself. */
export function behind(resource: object): object {
  return bindingOf(resource)?.target ?? resource;
}

/** The call that somebody with these handles works for, if any. */
export function scopeOf(
  session: Session,
  filesystem: Filesystem | undefined,
): CallScope | undefined {
  for (let each: Session | undefined = session; each; each = each.parent) {
    const scope = bindingOf(each)?.scope;
    if (scope !== undefined) return scope;
  }
  return filesystem && bindingOf(filesystem)?.scope;
}

function bindingOf(resource: object): Binding | undefined {
  // Under this symbol there is nothing but what `bindScope` puts there.
  return BOUND in resource ? (resource[BOUND] as Binding) : undefined;
}

function lockFor(resource: object, scope: CallScope | undefined) {
  const holder = scope?.holderOf(resource);
  return holder === undefined ? outermost.lockOf(resource) : holder.locksInside(resource);
}
