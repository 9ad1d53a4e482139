import type { BudgetLimits, Spending } from "@wink/prompt";

/** A request for `RequestQueue.add`. */
export interface NewRequest<Body> {
  /**
   * If the queue already has this id (waiting, leased or dead), the request is not added again.
   * @default a UUID
   */
  readonly requestId?: string | undefined;
  /** The payload. A persistent queue stores it as JSON. */
  readonly body: Body;
  /** When the request expires, in milliseconds since 1970. @default never */
  readonly deadlineAtMs?: number | undefined;
  /**
   * The budget of all attempts together, except `wallMs`, which applies to each attempt. @default
   * no limit
   */
  readonly budget?: BudgetLimits | undefined;
  /** How long the request waits before it is due. @default 0 */
  readonly delayMs?: number | undefined;
}

/** A request as the queue stores it. Plain data. */
export interface QueuedRequest<Body = unknown> {
  readonly requestId: string;
  readonly body: Body;
  readonly addedAtMs: number;
  /**
   * How many counted attempts there were. For the current lease holder this includes the running
   * attempt.
   */
  readonly attempt: number;
  readonly deadlineAtMs: number | undefined;
  readonly budget: BudgetLimits | undefined;
  /** What earlier attempts have spent. */
  readonly spent: Spending;
}

/** A request that is leased to one worker. */
export interface LeasedRequest<Body = unknown> extends QueuedRequest<Body> {
  /** New for each lease, so that the queue can refuse a worker whose lease has expired. */
  readonly leaseId: string;
  readonly leasedUntilMs: number;
}

export interface DeadLetter<Body = unknown> {
  readonly request: QueuedRequest<Body>;
  /** Why the request is not retried. */
  readonly reason: /** The last attempt failed, or a retry cannot fix the error. */
    | "failed"
    | "deadline"
    | "budget"
    /** Every attempt ended with a dead worker or a lost lease. */
    | "abandoned";
  /** The last error, for people. It may contain the text of a foreign error. */
  readonly message: string;
  readonly buriedAtMs: number;
}

/** How a worker ends its lease. */
export type RequestEnding =
  | { readonly kind: "done" }
  | {
      readonly kind: "again";
      readonly delayMs: number;
      /** Whether this attempt counts. */
      readonly counted: boolean;
      /** What this attempt has spent. The queue adds it to the request's total. */
      readonly spent: Spending;
    }
  | {
      readonly kind: "dead";
      readonly reason: DeadLetter["reason"];
      readonly message: string;
      readonly spent: Spending;
    };

/**
 * Where requests wait for a worker.
 *
 * Every operation is atomic, for any number of workers. A request is leased to one worker at a
 * time and returns automatically when its lease ends. So each request is processed at least once,
 * and possibly more than once if a worker dies. `queueContract` of `@wink/adapters/testing` tests
 * an implementation.
 */
export interface RequestQueue<Body = unknown> {
  /** Resolves to the request's id, also if the queue already had it. */
  add(request: NewRequest<Body>): Promise<string>;
  /**
   * Leases the request that has been due longest and counts the attempt. `undefined` when no
   * request is due.
   */
  take(leaseMs: number): Promise<LeasedRequest<Body> | undefined>;
  /**
   * Makes the lease end `leaseMs` from now. Resolves to `false` when the lease or the request has
   * already ended.
   */
  renew(lease: LeasedRequest<Body>, leaseMs: number): Promise<boolean>;
  /** Resolves to `false` and does nothing when the lease or the request has already ended. */
  end(lease: LeasedRequest<Body>, ending: RequestEnding): Promise<boolean>;
  /** Oldest first. */
  deadLetters(): Promise<readonly DeadLetter<Body>[]>;
  /**
   * Makes a dead request due again, with its attempts reset but not its spending. Resolves to
   * `false` if there is no dead request with this id.
   */
  requeue(requestId: string): Promise<boolean>;
  /**
   * Calls `listener` when a request may be due, so that workers do not have to poll. Returns a
   * function that removes the listener. @default the loop only polls
   */
  onAdded?(listener: () => void): () => void;
}
