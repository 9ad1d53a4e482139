import type { Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { CallNesting } from "./call-nesting.js";
import { type LockMode, type Queue, Ticket } from "./call-queue.js";
import { type CallResource, ownerOf } from "./call-resource.js";

const NO_PATHS: ReadonlySet<string> = new Set();
const OVER = "the outer tool call has ended";

/** A session or filesystem that a call needs. */
export interface Wanted {
  readonly resource: CallResource;
  readonly mode: LockMode;
}

/**
 * The resources that a call has locked, and the queues of the calls nested in it.
 *
 * A nested call is recognised by its handles: it uses the session of the outer handler (or a
 * child of it) or its filesystem. It does not wait for the outer call's locks, and its
 * transaction is nested in the outer one.
 */
export class CallScope {
  readonly ticket: Ticket;
  readonly outer: CallScope | undefined;
  /** Set by a call that starts with shared locks and changes files later. */
  takeExclusive: (() => Promise<void>) | undefined;
  readonly #wanted: readonly Wanted[];
  /** Created on first use, because most calls have no nested calls. */
  #queues: Map<CallResource, Queue> | undefined;
  #nesting: CallNesting | undefined;
  #calls: Set<Promise<unknown>> | undefined;
  #ending: AbortController | undefined;
  #over = false;
  #mentioned: Set<string> | undefined;

  /** @param wanted each resource at most once */
  constructor(wanted: readonly Wanted[], outer: CallScope | undefined) {
    this.outer = outer;
    this.#wanted = wanted;
    this.ticket = new Ticket(
      wanted.map(({ resource, mode }) => ({ queue: queueOf(resource, outer), mode })),
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

  /** How this call or an outer one holds `resource`. */
  modeOf(resource: CallResource): LockMode | undefined {
    const holder = this.holderOf(resource);
    return holder?.ticket.modeOf(queueOf(resource, holder.outer));
  }

  /** The call that holds `resource`: this one or an outer one. */
  holderOf(resource: CallResource): CallScope | undefined {
    const holds = this.#wanted.some((wanted) => wanted.resource === resource);
    return holds ? this : this.outer?.holderOf(resource);
  }

  /** The queue of nested calls for a resource that this call holds. */
  queueInside(resource: CallResource): Queue {
    this.#queues ??= new Map();
    const queue = this.#queues.get(resource) ?? [];
    this.#queues.set(resource, queue);
    return queue;
  }

  /** The paths in the events of nested calls on the files of this call. */
  get mentioned(): ReadonlySet<string> {
    return this.#mentioned ?? NO_PATHS;
  }

  /** Called when a nested call on the files of this call ends. */
  mention(paths: ReadonlySet<string>): void {
    this.#mentioned ??= new Set();
    for (const path of paths) this.#mentioned.add(path);
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
}

/** The call whose handler uses this session or these files, if any. */
export function scopeAround(
  session: Session,
  filesystem: Filesystem | undefined,
): CallScope | undefined {
  for (let each: Session | undefined = session; each; each = each.parent) {
    const owner = ownerOf(each);
    if (owner !== undefined) return owner.scope;
  }
  return filesystem && ownerOf(filesystem)?.scope;
}

function queueOf(resource: CallResource, scope: CallScope | undefined): Queue {
  return scope?.holderOf(resource)?.queueInside(resource) ?? resource.queue;
}
