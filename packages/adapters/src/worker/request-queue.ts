import type { BudgetLimits, Spending } from "@wink/prompt";

/** Which requests are taken first. Requests of one priority are taken in the order in which they are due. */
export type RequestPriority = "high" | "normal" | "low";

/** A request for `RequestQueue.add`. */
export interface NewRequest<Body> {
  /**
   * If the queue already has this id (waiting, leased or dead), the request is not added again.
   * @default a UUID
   */
  readonly requestId?: string | undefined;
  /** The payload, as JSON of at most 256 KiB. Pass the id of a run, not its contents. */
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
  /** @default "normal" */
  readonly priority?: RequestPriority | undefined;
  /**
   * Requests with the same key, such as the id of one run, are processed one after the other where
   * the queue can do it. Two of them may still overlap, so nothing may rely on it. @default none
   */
  readonly key?: string | undefined;
  /**
   * The name of the queue that receives a {@link RequestReply} when this request has ended. With `#` and the id of a
   * request after the name, that request becomes due instead. @default no reply
   */
  readonly replyTo?: string | undefined;
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
  readonly priority: RequestPriority;
  readonly key: string | undefined;
  readonly replyTo: string | undefined;
}

/** A request that is leased to one worker. */
export interface LeasedRequest<Body = unknown> extends QueuedRequest<Body> {
  /** New for each lease, so that the queue can refuse a worker whose lease has expired. */
  readonly leaseId: string;
  /** By the clock of the queue, which may differ from the worker's. */
  readonly leasedUntilMs: number;
}

/** A request that waits for a worker or has one, in `RequestQueue.list`. */
export interface ListedRequest<Body = unknown> extends QueuedRequest<Body> {
  /** `"delayed"`: it is not due yet. */
  readonly state: "waiting" | "delayed" | "leased";
}

/** How many requests a queue has. */
export interface RequestCounts {
  /** Due, and without a worker. */
  readonly waiting: number;
  /** Not due yet. */
  readonly delayed: number;
  readonly leased: number;
  readonly dead: number;
}

export interface TakeOptions {
  /** How long to wait for a due request. @default 0 */
  readonly waitMs?: number | undefined;
  /** Ends the wait. `take` then resolves to `undefined`. */
  readonly signal?: AbortSignal | undefined;
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

/** The body of the request that a worker adds to the queue named by `replyTo`. Its id is `reply:` and the request's id. */
export type RequestReply =
  | {
      readonly requestId: string;
      readonly outcome: "done";
      /** What the handler returned, as JSON. */
      readonly result: unknown;
    }
  | {
      readonly requestId: string;
      readonly outcome: "dead";
      readonly reason: DeadLetter["reason"];
      readonly message: string;
    };

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
   * Leases the request of the highest priority that has been due longest, and counts the attempt.
   * `undefined` if no request is due within `waitMs`.
   */
  take(leaseMs: number, options?: TakeOptions): Promise<LeasedRequest<Body> | undefined>;
  /**
   * Makes the lease end `leaseMs` from now. Resolves to `false` when another worker has taken the
   * request, and when it has ended.
   */
  renew(lease: LeasedRequest<Body>, leaseMs: number): Promise<boolean>;
  /**
   * Resolves to `false` and does nothing when another worker has taken the request, and when it has
   * ended.
   */
  end(lease: LeasedRequest<Body>, ending: RequestEnding): Promise<boolean>;
  /** Oldest first. */
  deadLetters(): Promise<readonly DeadLetter<Body>[]>;
  /**
   * Makes a dead request due again, with its attempts reset but not its spending, or a delayed request due now. Resolves
   * to `false` if there is no dead or delayed request with this id.
   */
  requeue(requestId: string): Promise<boolean>;
  /** Deletes a waiting or dead request. Resolves to `false` if it is leased or unknown. */
  drop(requestId: string): Promise<boolean>;
  counts(): Promise<RequestCounts>;
  /** The requests that are leased or wait, in no particular order. */
  list(options?: {
    /** @default 100 */
    readonly limit?: number | undefined;
  }): Promise<readonly ListedRequest<Body>[]>;
  /** Releases what the queue has opened. @default nothing */
  close?(): Promise<void>;
}
