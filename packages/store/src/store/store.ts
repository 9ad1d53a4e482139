import type { EncryptionOptions } from "../encryption/key-ring.js";
import type { Head, HeadWriter, StoreCallOptions } from "./head.js";

/** Holds heads: each a small state, two record streams, named entries and blobs, that change in one step. */
export interface Store extends AsyncDisposable {
  readonly name: string;
  /**
   * Claims a head for writing, and creates it if it does not exist. One round trip.
   *
   * Rejects with `LEASE_LOST` while another process has the lease. A process that stopped loses its lease when the time
   * is over; its late commits are refused, whatever its clock says.
   */
  open(id: string, options?: OpenOptions): Promise<HeadWriter>;
  /** The last committed state, without a claim. `undefined` if the head does not exist. */
  read(id: string, options?: StoreCallOptions): Promise<Head | undefined>;
  /** All heads, ordered by id as the server compares bytes. */
  list(options?: StoreCallOptions): AsyncIterable<HeadInfo>;
  /**
   * Creates a head that starts with the state of another and shares its contents. Copies no records and no entries.
   *
   * Rejects with `LOST` if the first does not exist, and with `ARGUMENT_INVALID` if the second does.
   */
  fork(from: string, to: string, options?: ForkOptions): Promise<void>;
  /** Deletes a head. Contents that forks use stay until the last fork is deleted. */
  delete(id: string, options?: StoreCallOptions): Promise<void>;
  /** Deletes the heads that the policy does not keep. A head with a lease is never deleted. */
  prune(policy: RetentionPolicy): Promise<RetentionReport>;
  /**
   * The store of one tenant. It cannot name, list or count what other tenants have.
   *
   * The isolation is by this API only: all tenants share the credentials of the server.
   */
  tenant(id: string, options?: TenantOptions): Store;
  /**
   * Wraps the data keys of all heads with the current key of `encryption`. No content is written again. Heads of tenants
   * are not included: call it for the store of each tenant, too.
   *
   * @returns how many heads were changed
   */
  rewrapKeys(): Promise<number>;
  /** Closes the connections that the store opened; not a client that was given. */
  close(): Promise<void>;
}

/** The options that all stores have. */
export interface StoreOptions {
  /**
   * How long a call tries again before it rejects with `UNREACHABLE` or `UNKNOWN`.
   *
   * @default 30,000
   */
  readonly timeoutMs?: number | undefined;
  /** How many bytes one head may have; more is `FULL`. @default unlimited */
  readonly maxHeadBytes?: number | undefined;
  /** How many heads a tenant may have; more is `FULL`. @default unlimited */
  readonly maxHeads?: number | undefined;
  /**
   * Encrypts states, records, entries and contents. The ids of heads, sizes, times and counts stay readable.
   *
   * @default everything is stored as it is
   */
  readonly encryption?: EncryptionOptions | undefined;
}

export interface OpenOptions extends StoreCallOptions {
  /** @default true */
  readonly create?: boolean | undefined;
  /** Rejects with `REWOUND` if the stored version is lower, and with `LOST` if there is none. @default 0 */
  readonly minVersion?: number | undefined;
  /**
   * When `commit` resolves. `"call"`: when the changes are stored. `"turn"`: immediately; they are stored by `flush`, so a
   * crash loses the commits since the last one, all or none of them.
   *
   * @default "call"
   */
  readonly durability?: "call" | "turn" | undefined;
  /** @default 30,000 */
  readonly leaseMs?: number | undefined;
  /** `"expired"` waits for nothing and takes over a lease that ended. `"always"` takes over any. @default "expired" */
  readonly takeOver?: "expired" | "always" | undefined;
}

export interface ForkOptions extends StoreCallOptions {
  /** The name of an entry of the first head whose value becomes the state of the fork. @default its current state and deltas */
  readonly entry?: string | undefined;
}

export interface TenantOptions {
  /** @default that of the store */
  readonly maxHeadBytes?: number | undefined;
  /** @default that of the store */
  readonly maxHeads?: number | undefined;
}

/** A head in a list. */
export interface HeadInfo {
  readonly id: string;
  readonly version: number;
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Whether a process has a lease that did not end. */
  readonly leased: boolean;
}

/** A head is kept while all given rules keep it. */
export interface RetentionPolicy {
  /** Deletes heads without a commit for this long, by the clock of the server. @default any age is kept */
  readonly maxAgeMs?: number | undefined;
  /** Keeps the heads with the newest commits. @default all are kept */
  readonly maxHeads?: number | undefined;
  /** Keeps the heads with the newest commits as long as their sizes add up to at most this. @default any size is kept */
  readonly maxBytes?: number | undefined;
  /** Reports, and deletes nothing. @default false */
  readonly dryRun?: boolean | undefined;
}

export interface RetentionReport {
  readonly deleted: readonly HeadInfo[];
  readonly kept: number;
}
