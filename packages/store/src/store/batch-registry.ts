import type { BlobBatch } from "./head.js";
import type { PlacedBatch } from "./place-contents.js";

const CLEAN_UP_EVERY = 256;

/** The batches that were placed and not committed. A batch that its caller dropped disappears with it. */
export class BatchRegistry {
  readonly #batches = new Set<WeakRef<PlacedBatch>>();
  readonly #byBatch = new WeakMap<BlobBatch, WeakRef<PlacedBatch>>();
  readonly #stagedBytes = new WeakMap<BlobBatch, number>();
  #added = 0;
  #totalBytes = 0;

  add(batch: PlacedBatch): PlacedBatch {
    this.#added += 1;
    if (this.#added % CLEAN_UP_EVERY === 0)
      for (const each of this.#batches) if (each.deref() === undefined) this.#batches.delete(each);
    const entry = new WeakRef(batch);
    this.#batches.add(entry);
    this.#byBatch.set(batch, entry);
    return batch;
  }

  find(batch: BlobBatch): PlacedBatch | undefined {
    return this.#byBatch.get(batch)?.deref();
  }

  delete(batch: BlobBatch): void {
    const entry = this.#byBatch.get(batch);
    if (entry === undefined) return;
    this.#batches.delete(entry);
    this.#byBatch.delete(batch);
  }

  /** How many bytes are stored ahead of a commit, also those of batches that were dropped since the last sweep. */
  get stagedBytes(): number {
    return this.#totalBytes;
  }

  /** How many bytes of a batch are stored ahead of its commit. */
  stagedBytesOf(batch: BlobBatch): number {
    return this.#stagedBytes.get(batch) ?? 0;
  }

  setStaged(batch: BlobBatch, sizeBytes: number): void {
    this.#totalBytes += sizeBytes - this.stagedBytesOf(batch);
    this.#stagedBytes.set(batch, sizeBytes);
  }

  /** All batches, for a sweep. The sweep deletes what dropped batches have stored. */
  inFlight(): readonly PlacedBatch[] {
    const batches = [...this.#batches].flatMap((each) => each.deref() ?? []);
    this.#totalBytes = batches.reduce((sum, each) => sum + this.stagedBytesOf(each), 0);
    return batches;
  }
}
