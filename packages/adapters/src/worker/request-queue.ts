import type { BudgetLimits, Spending } from "@wink/prompt";

/** Work that somebody wants done. */
export interface NewRequest<Body> {
  /** One that the queue has already, waiting, at work or dead, is not added again. @default a UUID */
  readonly requestId?: string | undefined;
  /** What is to be done. A queue that is not in memory keeps it as JSON. */
  readonly body: Body;
  /** When it is no longer wanted, in milliseconds since 1970. @default never */
  readonly deadlineAtMs?: number | undefined;
  /** What all attempts together may use; `wallMs` is for each of them. @default no limit */
  readonly budget?: BudgetLimits | undefined;
  /** How long it is left alone first. @default 0 */
  readonly delayMs?: number | undefined;
}

/** A request as the queue keeps it. Plain data. */
export interface QueuedRequest<Body = unknown> {
  readonly requestId: string;
  readonly body: Body;
  readonly addedAtMs: number;
  /** How often it was taken and counted; for whoever has it, this time included. */
  readonly attempt: number;
  readonly deadlineAtMs: number | undefined;
  readonly budget: BudgetLimits | undefined;
  /** What the attempts before this one have used. */
  readonly spent: Spending;
}

/** A request that is one worker's for a while. */
export interface LeasedRequest<Body = unknown> extends QueuedRequest<Body> {
  /** New each time the request is taken, so that a worker that was too slow is known. */
  readonly leaseId: string;
  readonly leasedUntilMs: number;
}

/** Why a request is not tried again. */
export type DeadLetterReason =
  /** As often as it may be, or with an error that trying again does not mend. */
  | "failed"
  | "deadline"
  | "budget"
  /** Its workers died or lost it, as often as it may be tried. */
  | "abandoned";

export interface DeadLetter<Body = unknown> {
  readonly request: QueuedRequest<Body>;
  readonly reason: DeadLetterReason;
  /** What went wrong the last time. For people: it may hold what an error said. */
  readonly message: string;
  readonly buriedAtMs: number;
}

/** What becomes of a request that a worker had. */
export type RequestEnding =
  | { readonly kind: "done" }
  | {
      readonly kind: "again";
      readonly delayMs: number;
      /** Whether this time counts as an attempt. */
      readonly counted: boolean;
      /** What this attempt has used; it adds up in the request. */
      readonly spent: Spending;
    }
  | {
      readonly kind: "dead";
      readonly reason: DeadLetterReason;
      readonly message: string;
      readonly spent: Spending;
    };

/**
 * Where requests wait for a worker.
 *
 * Every step is atomic, however many workers there are. A request is given to one of them at a
 * time, and comes back by itself when its lease ends: it is done at least once, and with a
 * worker that died perhaps more than once. `queueContract` of `@wink/adapters/testing` checks an implementation.
 */
export interface RequestQueue<Body = unknown> {
  /** Resolves to the request's id, also when that was there already. */
  add(request: NewRequest<Body>): Promise<string>;
  /** The request that has been due longest, counted as an attempt; `undefined` when none is due. */
  take(leaseMs: number): Promise<LeasedRequest<Body> | undefined>;
  /** Has the lease end so long from now. Resolves to `false` when it has ended or the request is over. */
  renew(lease: LeasedRequest<Body>, leaseMs: number): Promise<boolean>;
  /** Resolves to `false`, and does nothing, when the lease has ended or the request is over. */
  end(lease: LeasedRequest<Body>, ending: RequestEnding): Promise<boolean>;
  /** The oldest first. */
  deadLetters(): Promise<readonly DeadLetter<Body>[]>;
  /** Brings a dead request back as if it were new, but for what it has spent. Resolves to `false` when there is none. */
  requeue(requestId: string): Promise<boolean>;
  /** Tells when something may be due, so that nobody need poll. Returns how to end that. @default not told */
  onAdded?(listener: () => void): () => void;
}
