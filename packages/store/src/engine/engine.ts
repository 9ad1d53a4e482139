/** The two record streams of a head. */
export type StreamName = "events" | "transcript";

export const STREAM_NAMES: readonly StreamName[] = ["events", "transcript"];

/** A head as an engine stores it. */
export interface HeadRecord {
  /** 0 when it was created, and one more for each commit. */
  readonly version: number;
  /** Increases by one with each claim. A commit with an older epoch is refused. */
  readonly epoch: number;
  /** Where its blobs are: the pools of the heads it was forked from, oldest first, and its own pool last. */
  readonly pools: readonly string[];
  readonly state: Uint8Array | undefined;
  /** Added since `state` was replaced. */
  readonly deltas: readonly Uint8Array[];
  readonly counts: Readonly<Record<StreamName, number>>;
  /** The ids of the last commits, newest last. */
  readonly recent: readonly string[];
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** How long the lease still lasts by the clock of the server; 0 without a lease. */
  readonly leaseLeftMs: number;
  /** Wrapped data keys of an encrypted head. */
  readonly keys: Uint8Array | undefined;
}

/** How many commit ids a head remembers. A commit whose answer was lost is found among them. */
export const RECENT_COMMITS = 32;

/** A head in a list. */
export interface HeadSummary {
  readonly key: string;
  readonly version: number;
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** How long ago the last commit was, by the clock of the server. */
  readonly ageMs: number;
  readonly leaseLeftMs: number;
}

/** A part of a list. */
export interface HeadPage {
  readonly heads: readonly HeadSummary[];
  /** The key after which the next page begins. `undefined`: there is none. */
  readonly next: string | undefined;
}

/** Bytes at their place. */
export interface EngineBlob extends BlobAddress {
  readonly bytes: Uint8Array;
}

export interface BlobAddress {
  readonly id: string;
  /** Where an engine with packs put it. */
  readonly at: string | undefined;
}

interface EntryChanges {
  /** Deletes all entries first. */
  readonly clear: boolean;
  readonly set: ReadonlyMap<string, Uint8Array>;
  readonly delete: readonly string[];
}

/** A statement that the PostgreSQL engine runs in the transaction of a commit. */
export interface SqlStatement {
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
}

export interface EngineCommit {
  /** The new list of the last commit ids, newest last. */
  readonly recent: readonly string[];
  /**
   * The commit is refused if the head is no longer in this state. `pool` distinguishes it from a later head with the
   * same id.
   */
  readonly expected: { readonly version: number; readonly epoch: number; readonly pool: string };
  /** A commit also renews the lease. */
  readonly leaseMs: number;
  /** Replaces the state, and drops all deltas. */
  readonly state: Uint8Array | undefined;
  readonly deltas: readonly Uint8Array[];
  readonly records: Readonly<Record<StreamName, readonly Uint8Array[]>>;
  /** How many records the streams have before this commit. */
  readonly counts: Readonly<Record<StreamName, number>>;
  readonly entries: EntryChanges | undefined;
  /** For the head's own pool. */
  readonly blobs: readonly EngineBlob[];
  /** The new total. */
  readonly sizeBytes: number;
  readonly statements: readonly SqlStatement[];
}

/** The first contents of a new head. */
export interface NewHead {
  readonly pools: readonly string[];
  readonly keys: Uint8Array | undefined;
  readonly state: Uint8Array | undefined;
  readonly deltas: readonly Uint8Array[];
  readonly sizeBytes: number;
}

export interface Claim {
  /** Names the claimant, so that a claim whose answer was lost can be made again. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Takes the lease although another writer has it. */
  readonly force: boolean;
  /** Used when the head does not exist. `undefined`: it is not created. */
  readonly create: NewHead | undefined;
}

export type ClaimOutcome =
  | { readonly kind: "claimed"; readonly head: HeadRecord }
  | { readonly kind: "busy"; readonly leaseLeftMs: number }
  | { readonly kind: "absent" };

/**
 * Where heads and their records are stored.
 *
 * A method that cannot reach the server rejects with `UNREACHABLE` if the request was certainly not executed, else with
 * `UNKNOWN`. Times are those of the server.
 */
export interface HeadEngine {
  readonly name: string;
  /** Whether `commit` runs `statements`. */
  readonly runsStatements: boolean;
  /** Checks the server and creates tables. Called once before the first other call; again if it failed. */
  prepare(): Promise<void>;
  load(key: string): Promise<HeadRecord | undefined>;
  claim(key: string, claim: Claim): Promise<ClaimOutcome>;
  /** Creates a head that has no lease. Resolves to `false` when it exists. */
  create(key: string, head: NewHead): Promise<boolean>;
  /** Resolves to `false`, and changes nothing visible, when the head is not as expected. */
  commit(key: string, commit: EngineCommit): Promise<boolean>;
  /** Resolves to `false` when another writer has claimed the head. `leaseMs` 0 ends the lease. */
  renew(key: string, epoch: number, leaseMs: number): Promise<boolean>;
  /** The records that follow number `after`: at least one if there is one, and about `maxBytes`. */
  records(
    key: string,
    stream: StreamName,
    after: number,
    maxBytes: number,
  ): Promise<readonly Uint8Array[]>;
  entries(key: string): Promise<ReadonlyMap<string, Uint8Array>>;
  /** In the order of keys. */
  list(prefix: string, after: string, limit: number): Promise<HeadPage>;
  /** Deletes the head, its records and its entries; not its blobs. */
  delete(key: string): Promise<void>;
  /** Replaces the wrapped keys if they are still `expected`. */
  swapKeys(key: string, expected: Uint8Array, keys: Uint8Array): Promise<boolean>;

  /** Notes that a head uses blobs of a pool, with the state it started from. `member` is the head's own pool. */
  join(pool: string, member: string, root: Uint8Array): Promise<void>;
  members(pool: string): Promise<ReadonlyMap<string, Uint8Array>>;
  leave(pool: string, member: string): Promise<void>;
  close(): Promise<void>;
}

/** Where blobs are stored. May be another server than that of the heads. */
export interface BlobEngine {
  /** The size of the chunks that large contents are cut into. */
  readonly chunkBytes: number;
  /** How many bytes of blobs one request carries. */
  readonly batchBytes: number;
  /** Chooses where new blobs will be, without a request. */
  place(
    blobs: readonly { readonly id: string; readonly sizeBytes: number }[],
  ): readonly (string | undefined)[];
  /** Stores blobs. Existing blobs stay unchanged. */
  put(pool: string, blobs: readonly EngineBlob[], signal?: AbortSignal): Promise<void>;
  /** Blobs that are missing are not in the map. */
  get(
    pool: string,
    blobs: readonly BlobAddress[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The object that holds a blob, as `list` and `delete` name it. */
  objectOf(blob: BlobAddress): string;
  list(pool: string): AsyncIterable<readonly StoredObject[]>;
  /**
   * Deletes objects. Resolves to `false`, and deletes nothing, if another writer has claimed the head: it may have stored
   * one of the contents again. Engines that never use a name twice need not check.
   */
  delete(pool: string, objects: readonly string[], fence: Fence): Promise<boolean>;
  /** Deletes the whole pool. */
  drop(pool: string): Promise<void>;
  /** The names of all pools that begin with `prefix`. */
  pools(prefix: string): AsyncIterable<string>;
}

export interface Fence {
  readonly key: string;
  readonly epoch: number;
}

export interface StoredObject {
  readonly name: string;
  readonly sizeBytes: number;
}

/** An engine for heads and blobs. */
export interface Engine {
  readonly heads: HeadEngine;
  readonly blobs: BlobEngine;
  /** Whether `heads.commit` stores the blobs of a commit in the same step. Otherwise they are put first. */
  readonly commitsBlobs: boolean;
}
