import { quoted } from "../arguments/quoted.js";
import type { BlobRef } from "../engine/blob-ref.js";
import { checkCallOptions, checkOptions } from "../engine/check-options.js";
import type { EngineCommit, HeadRecord } from "../engine/engine.js";
import { randomName } from "../engine/sha256.js";
import { isStoreError, StoreError } from "../engine/store-error.js";
import { BatchRegistry } from "./batch-registry.js";
import { checkChanges, checkQuota, checkSize } from "./check-changes.js";
import { commitOnce } from "./commit-once.js";
import { applyChanges, buildCommit, countBytes } from "./engine-commit.js";
import type {
  BlobBatch,
  Changes,
  HeadCommitOptions,
  HeadWriter,
  NewContent,
  StoreCallOptions,
  SweepReport,
  Trace,
} from "./head.js";
import { type HeadContext, ownPool, patienceOf } from "./head-context.js";
import { PendingChanges } from "./pending-changes.js";
import { ContentPlacer, type PlacedBatch } from "./place-contents.js";
import { placeStream } from "./place-stream.js";
import { putBlobs, splitForCommit } from "./put-blobs.js";
import { deadline, retryWrite } from "./retry.js";
import { openRecord, StoredHead } from "./stored-head.js";
import { SweepGate } from "./sweep-gate.js";
import { sweepPool } from "./sweep-pool.js";

export interface WriterOptions {
  readonly durability: "call" | "turn";
  readonly leaseMs: number;
  readonly maxHeadBytes: number;
  /** Names this writer in its claims. */
  readonly owner: string;
}

/** With durability "turn", changes above this size are stored immediately instead of at the end of the turn. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024;

/** After these errors the writer can do nothing more. */
const FATAL = ["LEASE_LOST", "REWOUND", "LOST"] as const;

/** A commit that may have happened. */
interface Doubt {
  readonly commit: EngineCommit;
  readonly pending: PendingChanges;
}

export class StoredWriter extends StoredHead implements HeadWriter {
  readonly #options: WriterOptions;
  readonly #placer: ContentPlacer;
  /** Contents that this writer stored in the head's own pool. */
  readonly #stored = new Map<string, BlobRef>();
  readonly #batches = new BatchRegistry();
  readonly #gate = new SweepGate();
  #pending = new PendingChanges();
  #doubt: Doubt | undefined;
  #end: StoreError | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(context: HeadContext, record: HeadRecord, options: WriterOptions) {
    super(context, record);
    this.#options = options;
    this.#placer = new ContentPlacer(context, record.pools.length - 1, this.#stored);
    this.#timer = setInterval(
      // An error that ends the writer is reported by its next call.
      () => void this.renew().catch(() => {}),
      options.leaseMs / 3,
    );
    // The timer alone must not keep the process alive.
    this.#timer.unref?.();
  }

  async place(contents: readonly NewContent[], options?: StoreCallOptions): Promise<BlobBatch> {
    checkCallOptions("place", options);
    options?.signal?.throwIfAborted();
    return this.#gate.store(
      async () => this.#batches.add(await this.#placer.place(contents)),
      options?.signal,
    );
  }

  async placeStream(
    source: AsyncIterable<Uint8Array>,
    options?: StoreCallOptions,
  ): Promise<BlobBatch> {
    checkCallOptions("placeStream", options);
    // A sweep keeps the chunks as long as they are here.
    const chunks: BlobBatch[] = [];
    const placed = await placeStream(source, this.context.engine.blobs.chunkBytes, {
      signal: options?.signal,
      store: async (bytes) => {
        const chunk = await this.place([{ bytes }], options);
        chunks.push(chunk);
        await this.stage(chunk, options);
        return chunk.refs;
      },
    });
    if ("bytes" in placed) return this.place([placed], options);
    const { contentId, sizeBytes, refs } = placed;
    const storedBytes = chunks.reduce((sum, { newBytes }) => sum + newBytes, 0);
    const batch = await this.#placer.placeChunked(contentId, sizeBytes, refs, storedBytes);
    for (const chunk of chunks) this.#batches.setStaged(chunk, 0);
    this.#batches.setStaged(batch, storedBytes);
    return this.#batches.add(batch);
  }

  async stage(batch: BlobBatch, options?: StoreCallOptions): Promise<void> {
    checkCallOptions("stage", options);
    const { blobs, known, newBytes } = this.#placed(batch);
    if (this.#isStaged(batch)) return;
    const aheadBytes = this.#batches.stagedBytes - this.#batches.stagedBytesOf(batch) + newBytes;
    const { maxHeadBytes } = this.#options;
    checkSize(this.record.sizeBytes + aheadBytes, maxHeadBytes, this.context.subject);
    await this.#gate.store(async () => {
      await putBlobs(this.context, ownPool(this.record), blobs, patienceOf(this.context, options));
      this.#batches.setStaged(batch, newBytes);
      for (const [contentId, ref] of known) this.#stored.set(contentId, ref);
    }, options?.signal);
  }

  commit(changes: Changes, options: HeadCommitOptions = {}): Promise<void> {
    return this.#inTurn(async () => {
      const { subject } = this.context;
      checkOptions(subject, options, ["commitId", "signal"]);
      const { commitId = randomName(), signal } = options;
      if (!/^[\w-]{1,64}$/.test(commitId))
        throw new StoreError("ARGUMENT_INVALID", subject, `invalid commit id ${quoted(commitId)}`);
      if (this.#doubt?.pending.commitIds.includes(commitId))
        return this.#send(this.#doubt, options);
      this.#requireSettled();
      signal?.throwIfAborted();
      if ([...this.record.recent, ...this.#pending.commitIds].includes(commitId)) return;
      checkChanges(changes, this.context);
      const batches = (changes.blobs ?? []).map((batch) => this.#placed(batch));
      const { maxHeadBytes } = this.#options;
      checkQuota(this.record, this.#pending, { changes, batches }, maxHeadBytes, subject);
      this.#pending.add(commitId, changes, batches);
      if (this.#isLate && this.#pending.sizeBytes <= MAX_PENDING_BYTES) return;
      await this.#store(options);
    });
  }

  flush(options: StoreCallOptions = {}): Promise<void> {
    return this.#inTurn(async () => {
      checkCallOptions("flush", options);
      this.#requireSettled();
      if (!this.#pending.isEmpty) await this.#store(options);
    });
  }

  settle(options: StoreCallOptions = {}): Promise<boolean> {
    return this.#inTurn(async () => {
      checkCallOptions("settle", options);
      const doubt = this.#doubt;
      if (doubt === undefined) return true;
      const { engine, key, subject } = this.context;
      const { owner, leaseMs } = this.#options;
      const claim = { owner, leaseMs, force: false, create: undefined };
      // A new epoch refuses the commit if it is still on its way.
      const outcome = await retryWrite(
        () => engine.heads.claim(key, claim),
        patienceOf(this.context, options),
      );
      if (outcome.kind === "busy") throw this.#fail(new StoreError("LEASE_LOST", subject));
      if (outcome.kind === "absent" || ownPool(outcome.head) !== ownPool(this.record))
        throw this.#fail(new StoreError("LOST", subject));
      const { head } = outcome;
      if (head.version < this.record.version) throw this.#fail(new StoreError("REWOUND", subject));
      this.#doubt = undefined;
      // The array is not empty: a commit has an id.
      const happened = head.recent.includes(doubt.commit.recent.at(-1) as string);
      if (happened) this.#applied(doubt.pending);
      else if (this.#isLate) this.#pending = doubt.pending;
      this.record = await openRecord(this.context, head);
      return happened;
    });
  }

  async renew(): Promise<void> {
    this.#requireAlive();
    const { engine, key, subject } = this.context;
    const { epoch } = this;
    const isKept = await engine.heads.renew(key, epoch, this.#options.leaseMs);
    // `settle` raises the epoch of this writer.
    if (!isKept && epoch === this.epoch) throw this.#fail(new StoreError("LEASE_LOST", subject));
  }

  sweep(trace: Trace): Promise<SweepReport> {
    return this.#inTurn(() => this.#gate.sweep(() => this.#sweep(trace)));
  }

  async #sweep(trace: Trace): Promise<SweepReport> {
    this.#requireSettled();
    if (!this.#pending.isEmpty) await this.#store({});
    const inFlight = this.#batches.inFlight();
    const { context, contents, record } = this;
    // A deleted content must be stored again when it is used again.
    this.#stored.clear();
    const entries = await this.entries();
    const { leaseMs } = this.#options;
    const report = await sweepPool(context, contents, record, entries, inFlight, trace, leaseMs);
    const committedBytes = Math.max(0, report.keptBytes - this.#batches.stagedBytes);
    const sizeBytes = committedBytes + (await countBytes(this, entries));
    if (sizeBytes !== record.sizeBytes) {
      this.record = { ...record, sizeBytes };
      this.#pending.add(randomName(), {}, []);
      await this.#store({});
    }
    return report;
  }

  async close(): Promise<void> {
    if (this.#end !== undefined) return;
    try {
      if (this.#doubt === undefined) await this.flush();
    } finally {
      const { engine, key, subject } = this.context;
      this.#fail(new StoreError("LEASE_LOST", subject, "this writer was closed. Open it again"));
      // If the server does not answer, the lease expires.
      await this.#queue;
      await deadline(patienceOf(this.context, undefined))
        .race(engine.heads.renew(key, this.epoch, 0))
        .catch(() => false);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #isLate(): boolean {
    return this.#options.durability === "turn";
  }

  /** Stores the pending changes. Afterwards they are stored, dropped, or in doubt. */
  async #store(options: StoreCallOptions): Promise<void> {
    const pending = this.#pending;
    if (!this.#isLate) this.#pending = new PendingChanges();
    const blobs = pending.batches
      .filter((each) => !this.#isStaged(each))
      .flatMap((each) => each.blobs);
    const { first, rest } = splitForCommit(this.context.engine, blobs);
    const patience = patienceOf(this.context, options);
    if (first.length > 0) await putBlobs(this.context, ownPool(this.record), first, patience);
    const commit = await buildCommit(
      this.context,
      this.record,
      pending,
      rest,
      this.#options.leaseMs,
    );
    this.#pending = new PendingChanges();
    await this.#send({ commit, pending }, options);
  }

  async #send({ commit, pending }: Doubt, options: StoreCallOptions): Promise<void> {
    const { engine, key, subject } = this.context;
    const patience = patienceOf(this.context, options);
    try {
      await commitOnce(engine.heads, key, commit, subject, patience);
    } catch (error) {
      this.#doubt = isStoreError(error, "UNKNOWN") ? { commit, pending } : undefined;
      if (isStoreError(error) && FATAL.some((code) => code === error.code)) this.#fail(error);
      if (this.#doubt === undefined && this.#isLate) this.#pending = pending;
      throw error;
    }
    this.#doubt = undefined;
    this.record = applyChanges(this.record, pending);
    this.#applied(pending);
  }

  #applied({ batches }: PendingChanges): void {
    for (const batch of batches) {
      this.#batches.setStaged(batch, 0);
      for (const [contentId, ref] of batch.known) this.#stored.set(contentId, ref);
      this.#batches.delete(batch);
    }
  }

  #isStaged(batch: BlobBatch): boolean {
    return this.#batches.stagedBytesOf(batch) === batch.newBytes;
  }

  #placed(batch: BlobBatch): PlacedBatch {
    const placed = this.#batches.find(batch);
    if (placed !== undefined) return placed;
    throw new StoreError(
      "ARGUMENT_INVALID",
      this.context.subject,
      "the batch was committed already, or placed by another writer",
    );
  }

  #requireAlive(): void {
    if (this.#end !== undefined) throw this.#end;
  }

  #requireSettled(): void {
    this.#requireAlive();
    if (this.#doubt !== undefined)
      throw new StoreError(
        "UNKNOWN",
        this.context.subject,
        "the outcome of the last commit is unknown. Call settle() first",
      );
  }

  #fail(error: StoreError): StoreError {
    clearInterval(this.#timer);
    this.#end ??= error;
    return error;
  }

  /** Runs after everything that was called before, whether it failed or not. */
  #inTurn<T>(body: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(() => {
      this.#requireAlive();
      return body();
    });
    this.#queue = result.catch(() => {});
    return result;
  }
}
