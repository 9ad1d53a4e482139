import { requireMethod, requireOptions } from "../runtime/context/require-options.js";
import { type Clock, systemClock } from "./clock.js";
import {
  addSpending,
  listLimit,
  PRIORITIES,
  requestData,
  requireEnding,
  requireLease,
  requireRequestId,
  requireTake,
} from "./request-data.js";
import type {
  DeadLetter,
  LeasedRequest,
  ListedRequest,
  NewRequest,
  QueuedRequest,
  RequestCounts,
  RequestEnding,
  RequestQueue,
  TakeOptions,
} from "./request-queue.js";
import { WakeUp } from "./wake-up.js";

interface Waiting<Body> {
  readonly request: QueuedRequest<Body>;
  readonly dueAtMs: number;
}

/** A queue in memory. Its requests are lost when the process ends. */
export class InMemoryRequestQueue<Body = unknown> implements RequestQueue<Body> {
  readonly #clock: Clock;
  readonly #known = new Set<string>();
  /** Sorted by due time. Requests with the same due time stay in insertion order. */
  readonly #waiting: Waiting<Body>[] = [];
  readonly #leased = new Map<string, LeasedRequest<Body>>();
  readonly #dead = new Map<string, DeadLetter<Body>>();
  readonly #wakeUp = new WakeUp();

  constructor(
    options: {
      /** @default the system clock */
      readonly clock?: Clock | undefined;
    } = {},
  ) {
    requireOptions("InMemoryRequestQueue", options, ["clock"]);
    this.#clock = options.clock ?? systemClock;
    requireMethod("clock", this.#clock, { name: "now", expected: "a Clock" });
  }

  async add(request: NewRequest<Body>): Promise<string> {
    const { body, delayMs, ...data } = requestData(request);
    const { requestId } = data;
    if (this.#known.has(requestId)) return requestId;
    this.#known.add(requestId);
    const start = { addedAtMs: this.#clock.now(), attempt: 0, spent: Object.freeze({}) };
    // A copy, as from every other queue.
    this.#wait({ ...data, body: JSON.parse(body) as Body, ...start }, delayMs);
    return requestId;
  }

  async take(leaseMs: number, options: TakeOptions = {}): Promise<LeasedRequest<Body> | undefined> {
    requireTake(leaseMs, options);
    const take = () => this.#takeDue(leaseMs);
    return await this.#wakeUp.untilTaken(this.#clock, options, take, () => this.#nextChangeMs());
  }

  async renew(lease: LeasedRequest<Body>, leaseMs: number): Promise<boolean> {
    requireLease(lease);
    const { leaseId } = lease;
    this.#takeBackExpired();
    const held = this.#leased.get(leaseId);
    if (held !== undefined) this.#lease(held, leaseId, leaseMs);
    return held !== undefined;
  }

  async end(lease: LeasedRequest<Body>, ending: RequestEnding): Promise<boolean> {
    requireLease(lease);
    requireEnding(ending);
    const { leaseId } = lease;
    this.#takeBackExpired();
    const held = this.#leased.get(leaseId);
    if (held === undefined) return false;
    this.#leased.delete(leaseId);
    const request = withoutLease(held);
    // A request with the same key may have waited for this one.
    this.#wakeUp.wake();
    if (ending.kind === "done") {
      this.#known.delete(request.requestId);
      return true;
    }
    const spent = addSpending(request.spent, ending.spent);
    if (ending.kind === "again") {
      const attempt = ending.counted ? request.attempt : request.attempt - 1;
      this.#wait({ ...request, attempt, spent }, ending.delayMs);
      return true;
    }
    const { reason, message } = ending;
    const letter = { request: Object.freeze({ ...request, spent }), reason, message };
    this.#dead.set(request.requestId, Object.freeze({ ...letter, buriedAtMs: this.#clock.now() }));
    return true;
  }

  async deadLetters(): Promise<readonly DeadLetter<Body>[]> {
    return [...this.#dead.values()];
  }

  async requeue(requestId: string): Promise<boolean> {
    requireRequestId(requestId);
    const letter = this.#dead.get(requestId);
    const now = this.#clock.now();
    const index = this.#waiting.findIndex(
      ({ request, dueAtMs }) => request.requestId === requestId && dueAtMs > now,
    );
    const [delayed] = index < 0 ? [] : this.#waiting.splice(index, 1);
    this.#dead.delete(requestId);
    const request = letter ? { ...letter.request, attempt: 0 } : delayed?.request;
    if (request !== undefined) this.#wait(request, 0);
    return request !== undefined;
  }

  async drop(requestId: string): Promise<boolean> {
    requireRequestId(requestId);
    this.#takeBackExpired();
    const index = this.#waiting.findIndex(({ request }) => request.requestId === requestId);
    if (index >= 0) this.#waiting.splice(index, 1);
    const isDropped = index >= 0 || this.#dead.delete(requestId);
    if (isDropped) this.#known.delete(requestId);
    return isDropped;
  }

  async counts(): Promise<RequestCounts> {
    const states = (await this.list({ limit: Number.POSITIVE_INFINITY })).map((it) => it.state);
    const count = (wanted: string) => states.filter((state) => state === wanted).length;
    const [waiting, delayed, leased] = [count("waiting"), count("delayed"), count("leased")];
    return { waiting, delayed, leased, dead: this.#dead.size };
  }

  async list(
    options: { readonly limit?: number | undefined } = {},
  ): Promise<readonly ListedRequest<Body>[]> {
    const limit = listLimit(options);
    this.#takeBackExpired();
    const now = this.#clock.now();
    const leased = [...this.#leased.values()].map((lease) => {
      return { ...withoutLease(lease), state: "leased" as const };
    });
    const waiting = this.#waiting.map(({ request, dueAtMs }) => {
      return { ...request, state: dueAtMs > now ? ("delayed" as const) : ("waiting" as const) };
    });
    return [...leased, ...waiting].slice(0, limit);
  }

  #takeDue(leaseMs: number): LeasedRequest<Body> | undefined {
    this.#takeBackExpired();
    const now = this.#clock.now();
    const busy = new Set([...this.#leased.values()].map(({ key }) => key));
    const due = this.#waiting.filter(
      ({ request: { key }, dueAtMs }) => dueAtMs <= now && (key === undefined || !busy.has(key)),
    );
    const rank = (each: Waiting<Body>) => PRIORITIES.indexOf(each.request.priority);
    // The sort is stable, so that requests of one priority stay in the order of their due times.
    const [first] = due.sort((a, b) => rank(a) - rank(b));
    if (first === undefined) return undefined;
    this.#waiting.splice(this.#waiting.indexOf(first), 1);
    const attempt = first.request.attempt + 1;
    return this.#lease({ ...first.request, attempt }, crypto.randomUUID(), leaseMs);
  }

  /** How long until a request is due or a lease ends. */
  #nextChangeMs(): number {
    const now = this.#clock.now();
    const due =
      this.#waiting.find(({ dueAtMs }) => dueAtMs > now)?.dueAtMs ?? Number.POSITIVE_INFINITY;
    const ends = [...this.#leased.values()].map(({ leasedUntilMs }) => leasedUntilMs);
    return Math.min(due, ...ends) - now;
  }

  #lease(request: QueuedRequest<Body>, leaseId: string, leaseMs: number): LeasedRequest<Body> {
    const leasedUntilMs = this.#clock.now() + leaseMs;
    const leased = Object.freeze({ ...request, leaseId, leasedUntilMs });
    this.#leased.set(leaseId, leased);
    return leased;
  }

  #wait(request: QueuedRequest<Body>, delayMs: number): void {
    this.#insert(Object.freeze(request), this.#clock.now() + delayMs);
    this.#wakeUp.wake();
  }

  #insert(request: QueuedRequest<Body>, dueAtMs: number): void {
    const later = this.#waiting.findLastIndex((other) => other.dueAtMs <= dueAtMs);
    this.#waiting.splice(later + 1, 0, { request, dueAtMs });
  }

  /** Returns requests with an expired lease to the queue. */
  #takeBackExpired(): void {
    const now = this.#clock.now();
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
