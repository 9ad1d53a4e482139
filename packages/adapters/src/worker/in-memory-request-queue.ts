import type { Spending } from "@wink/prompt";
import { requireFunction, requireOptions } from "../runtime/context/require-options.js";
import type {
  DeadLetter,
  LeasedRequest,
  NewRequest,
  QueuedRequest,
  RequestEnding,
  RequestQueue,
} from "./request-queue.js";

interface Waiting<Body> {
  readonly request: QueuedRequest<Body>;
  readonly dueAtMs: number;
}

/** A queue in memory. Its requests are lost when the process ends. */
export class InMemoryRequestQueue<Body = unknown> implements RequestQueue<Body> {
  readonly #now: () => number;
  readonly #known = new Set<string>();
  /** Sorted by due time. Requests with the same due time stay in insertion order. */
  readonly #waiting: Waiting<Body>[] = [];
  readonly #leased = new Map<string, LeasedRequest<Body>>();
  readonly #dead = new Map<string, DeadLetter<Body>>();
  readonly #listeners = new Set<() => void>();

  constructor(
    options: {
      /** Milliseconds since 1970. @default Date.now */
      readonly now?: (() => number) | undefined;
    } = {},
  ) {
    requireOptions("InMemoryRequestQueue", options, ["now"]);
    requireFunction("now", options.now);
    this.#now = options.now ?? Date.now;
  }

  /** How many requests are waiting, leased and dead. */
  get size(): { readonly waiting: number; readonly leased: number; readonly dead: number } {
    this.#takeBackExpired();
    return {
      waiting: this.#waiting.length,
      leased: this.#leased.size,
      dead: this.#dead.size,
    };
  }

  async add({ requestId = crypto.randomUUID(), body, ...rest }: NewRequest<Body>): Promise<string> {
    if (this.#known.has(requestId)) return requestId;
    this.#known.add(requestId);
    const { deadlineAtMs, budget, delayMs = 0 } = rest;
    const limits = { deadlineAtMs, budget: budget && Object.freeze({ ...budget }) };
    const start = { addedAtMs: this.#now(), attempt: 0, spent: Object.freeze({}) };
    this.#wait({ requestId, body, ...limits, ...start }, delayMs);
    return requestId;
  }

  async take(leaseMs: number): Promise<LeasedRequest<Body> | undefined> {
    this.#takeBackExpired();
    const [first] = this.#waiting;
    if (first === undefined || first.dueAtMs > this.#now()) return undefined;
    this.#waiting.shift();
    const attempt = first.request.attempt + 1;
    const leaseId = crypto.randomUUID();
    return this.#lease({ ...first.request, attempt }, leaseId, leaseMs);
  }

  async renew({ leaseId }: LeasedRequest<Body>, leaseMs: number): Promise<boolean> {
    this.#takeBackExpired();
    const held = this.#leased.get(leaseId);
    if (held !== undefined) this.#lease(held, leaseId, leaseMs);
    return held !== undefined;
  }

  async end({ leaseId }: LeasedRequest<Body>, ending: RequestEnding): Promise<boolean> {
    this.#takeBackExpired();
    const held = this.#leased.get(leaseId);
    if (held === undefined) return false;
    this.#leased.delete(leaseId);
    const request = withoutLease(held);
    if (ending.kind === "done") {
      this.#known.delete(request.requestId);
      return true;
    }
    const spent = addUp(request.spent, ending.spent);
    if (ending.kind === "again") {
      const attempt = ending.counted ? request.attempt : request.attempt - 1;
      this.#wait({ ...request, attempt, spent }, ending.delayMs);
      return true;
    }
    const { reason, message } = ending;
    const letter = { request: Object.freeze({ ...request, spent }), reason, message };
    this.#dead.set(request.requestId, Object.freeze({ ...letter, buriedAtMs: this.#now() }));
    return true;
  }

  async deadLetters(): Promise<readonly DeadLetter<Body>[]> {
    return [...this.#dead.values()];
  }

  async requeue(requestId: string): Promise<boolean> {
    const letter = this.#dead.get(requestId);
    if (letter === undefined) return false;
    this.#dead.delete(requestId);
    this.#wait({ ...letter.request, attempt: 0 }, 0);
    return true;
  }

  onAdded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #lease(request: QueuedRequest<Body>, leaseId: string, leaseMs: number): LeasedRequest<Body> {
    const leasedUntilMs = this.#now() + leaseMs;
    const leased = Object.freeze({ ...request, leaseId, leasedUntilMs });
    this.#leased.set(leaseId, leased);
    return leased;
  }

  #wait(request: QueuedRequest<Body>, delayMs: number): void {
    this.#insert(Object.freeze(request), this.#now() + delayMs);
    for (const listener of [...this.#listeners]) listener();
  }

  #insert(request: QueuedRequest<Body>, dueAtMs: number): void {
    const later = this.#waiting.findLastIndex((other) => other.dueAtMs <= dueAtMs);
    this.#waiting.splice(later + 1, 0, { request, dueAtMs });
  }

  /** Returns requests with an expired lease to the queue. */
  #takeBackExpired(): void {
    const now = this.#now();
    for (const [leaseId, lease] of this.#leased) {
      if (lease.leasedUntilMs > now) continue;
      this.#leased.delete(leaseId);
      this.#insert(Object.freeze(withoutLease(lease)), lease.leasedUntilMs);
    }
  }
}

function withoutLease<Body>(lease: LeasedRequest<Body>): QueuedRequest<Body> {
  const { leaseId: _, leasedUntilMs: __, ...request } = lease;
  return request;
}

function addUp(before: Spending, more: Spending): Spending {
  const names = new Set([...Object.keys(before), ...Object.keys(more)]);
  const sum = [...names].map((name) => {
    // `name` comes from the keys of both objects, so the cast is safe.
    const key = name as keyof Spending;
    return [name, (before[key] ?? 0) + (more[key] ?? 0)];
  });
  return Object.freeze(Object.fromEntries(sum));
}
