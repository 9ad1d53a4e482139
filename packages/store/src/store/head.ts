import type { BlobRef } from "../engine/blob-ref.js";
import type { SqlStatement, StreamName } from "../engine/engine.js";

export interface StoreCallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** One committed state of a head: a small state, two record streams, named entries and blobs. */
export interface Head {
  readonly id: string;
  /** 0 for a new head, and one more for each commit. */
  readonly version: number;
  /** Which writer's claim this is. Each claim is one higher than the one before. */
  readonly epoch: number;
  /** The last state that a commit set. */
  readonly state: Uint8Array | undefined;
  /** The deltas that commits added since then, oldest first. */
  readonly deltas: readonly Uint8Array[];
  /** How many records the streams have. The first record of a stream is number 1. */
  readonly counts: Readonly<Record<StreamName, number>>;
  /** Bytes of blobs, records and state. An upper limit: a content that was written twice counts twice until a sweep. */
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;

  /** The records after number `after`, oldest first, in pages. One round trip per page. */
  records(stream: StreamName, options?: RecordsOptions): AsyncIterable<readonly Uint8Array[]>;
  /** All named entries, or those whose name begins with `prefix`. */
  entries(options?: EntriesOptions): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Whole contents, each checked against its hash. All are fetched together, bounded in bytes.
   *
   * Rejects with `MISSING_BLOB` or `CORRUPT_BLOB` if one of them cannot be returned exactly.
   */
  read(
    refs: readonly BlobRef[],
    options?: StoreCallOptions,
  ): Promise<ReadonlyMap<BlobRef, Uint8Array>>;
  /** A part of a content. Fetches only the chunks that it needs. */
  readRange(
    ref: BlobRef,
    offset: number,
    length: number,
    options?: StoreCallOptions,
  ): Promise<Uint8Array>;
  /** A content chunk by chunk. */
  stream(ref: BlobRef, options?: StoreCallOptions): AsyncIterable<Uint8Array>;
}

export interface RecordsOptions extends StoreCallOptions {
  /** @default 0, which means from the first record */
  readonly after?: number | undefined;
  /** About how many bytes a page has. @default 1 MiB */
  readonly pageBytes?: number | undefined;
}

export interface EntriesOptions extends StoreCallOptions {
  /** @default "", which means all */
  readonly prefix?: string | undefined;
}

/**
 * A head that this process has claimed. Only the newest claim can commit: an older one gets `LEASE_LOST`.
 *
 * After `LEASE_LOST`, `REWOUND` or `LOST` every further call rejects with the same error.
 */
export interface HeadWriter extends Head, AsyncDisposable {
  /** Prepares contents for a commit: hashes them and gives them references. Stores nothing. */
  place(contents: readonly NewContent[], options?: StoreCallOptions): Promise<BlobBatch>;
  /** Stores a large content while it arrives. It becomes visible with the commit that includes the batch. */
  placeStream(source: AsyncIterable<Uint8Array>, options?: StoreCallOptions): Promise<BlobBatch>;
  /** Stores the contents of a batch ahead of its commit. They stay invisible until then. */
  stage(batch: BlobBatch, options?: StoreCallOptions): Promise<void>;
  /**
   * Makes all changes visible in one step, or none. Commits of one writer take effect in the order of the calls.
   *
   * With durability `"call"` it resolves when the changes are stored. With `"turn"` it resolves immediately, and
   * {@link flush} stores them.
   *
   * Rejects with `UNREACHABLE` when nothing happened, and with `UNKNOWN` when that could not be found out; then call
   * {@link settle}.
   */
  commit(changes: Changes, options?: HeadCommitOptions): Promise<void>;
  /** Stores what was committed with durability `"turn"`. */
  flush(options?: StoreCallOptions): Promise<void>;
  /**
   * Finds out what happened to a commit that ended with `UNKNOWN`, and makes sure that it cannot happen later.
   *
   * @returns whether it was committed. `true` if no commit is in doubt.
   */
  settle(options?: StoreCallOptions): Promise<boolean>;
  /** Keeps the lease. Called automatically, three times per lease. */
  renew(): Promise<void>;
  /** Deletes stored contents that `trace` does not name. */
  sweep(trace: Trace): Promise<SweepReport>;
  /** Flushes and ends the lease, so that another process can open the head immediately. */
  close(): Promise<void>;
}

/** A content to store. */
export interface NewContent {
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes` in hexadecimal digits, if you know it. It is not checked. @default computed */
  readonly contentId?: string | undefined;
}

/** Contents that belong to one commit. Pass the whole batch to {@link HeadWriter.commit}, once. */
export interface BlobBatch {
  /** In the order of the contents. */
  readonly refs: readonly BlobRef[];
  /** SHA-256 of each content in hexadecimal digits. */
  readonly contentIds: readonly string[];
  /** How many bytes the commit will store. Contents that the writer has stored before count 0. */
  readonly newBytes: number;
}

export interface Changes {
  /** Replaces the state and drops all deltas. @default unchanged */
  readonly state?: Uint8Array | undefined;
  /** Added to the deltas, after `state` if both are given. @default none */
  readonly delta?: Uint8Array | undefined;
  /** Appended to the stream. @default none */
  readonly events?: readonly Uint8Array[] | undefined;
  /** Appended to the stream. @default none */
  readonly transcript?: readonly Uint8Array[] | undefined;
  /** Named values that are replaced one by one, such as snapshots. @default unchanged */
  readonly entries?:
    | {
        /** Deletes all entries first. @default false */
        readonly clear?: boolean | undefined;
        readonly delete?: readonly string[] | undefined;
        readonly set?: Readonly<Record<string, Uint8Array>> | undefined;
      }
    | undefined;
  /** @default none */
  readonly blobs?: readonly BlobBatch[] | undefined;
  /** Run in the same transaction. Only a store whose heads are in PostgreSQL accepts them. @default none */
  readonly statements?: readonly SqlStatement[] | undefined;
}

export interface HeadCommitOptions extends StoreCallOptions {
  /** A commit with the id of one of the last 32 commits does nothing. @default a new random id */
  readonly commitId?: string | undefined;
}

/** Lists the references in a root. A root is the head, or a state from which another head was forked. */
export type Trace = (root: SweepRoot) => AsyncIterable<BlobRef> | Iterable<BlobRef>;

export interface SweepRoot {
  readonly state: Uint8Array | undefined;
  readonly deltas: readonly Uint8Array[];
  /** Empty for a fork. */
  readonly entries: ReadonlyMap<string, Uint8Array>;
}

export interface SweepReport {
  readonly deletedObjects: number;
  readonly deletedBytes: number;
  readonly keptBytes: number;
}
