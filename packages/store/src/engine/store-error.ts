const REASONS = {
  UNREACHABLE: "the storage server cannot be reached. Nothing was changed",
  UNKNOWN:
    "the server did not answer in time, so the outcome is unknown. Call settle() to find out",
  LEASE_LOST: "another writer has the lease",
  REWOUND: "the server has an older version than it acknowledged. Check its durability settings",
  LOST: "it is not in the store",
  MISSING_BLOB: "a stored content is missing. Check the server for eviction or expiry",
  CORRUPT_BLOB: "a stored content is damaged",
  TOO_LARGE: "the value is larger than the store accepts",
  FULL: "the store or its quota is full",
  NO_CONDITIONAL_WRITES:
    "the server ignores conditional writes, so it cannot hold heads. Give `heads: postgresStore(…)` or `heads: redisStore(…)`",
  EVICTING: "the server may evict data. Set its maxmemory-policy to noeviction",
  ARGUMENT_INVALID: "the argument is invalid",
} as const;

// `Symbol.for`, so that two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.store.error");

/**
 * The only error class of this package.
 *
 * Branch on `code`, not on `message`. Test with {@link isStoreError}, not with `instanceof`.
 */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /**
   * The error codes. The set is closed, and each code keeps its meaning in every release.
   *
   * `UNREACHABLE`: nothing happened. `UNKNOWN`: the outcome was not found out in time. `LEASE_LOST`: another writer has the
   * head. `REWOUND`: the server has less than it acknowledged. `LOST`: the head is gone.
   */
  readonly code: keyof typeof REASONS;
  /** The thing that failed, such as `head 'review-42'` or `store 'postgres'`. Never an address or a credential. */
  readonly subject: string;
  /** The problem and what to do. */
  readonly reason: string;
  readonly [BRAND] = true;

  /** The text of `cause` is not in the message, because it may contain an address, and a model may read the message. */
  constructor(
    code: StoreError["code"],
    subject: string,
    reason: string = REASONS[code],
    options: { readonly cause?: unknown } = {},
  ) {
    const end = /[.?!…]$/.test(reason) ? "" : ".";
    super(`${String(subject)}: ${reason}${end}`, options.cause === undefined ? undefined : options);
    this.code = code;
    this.subject = subject;
    this.reason = reason;
  }
}

/** Whether `error` is a {@link StoreError}, with this `code` if one is given. */
export function isStoreError(error: unknown, code?: StoreError["code"]): error is StoreError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}
