import type { BlobRef } from "../engine/blob-ref.js";
import type { BlobBatch } from "./head.js";
import type { PlacedBatch } from "./place-contents.js";

const CLEAN_UP_EVERY = 256;

/** The batches that were placed and not committed. A batch that its caller dropped disappears with it. */
export class BatchRegistry {
  readonly #batches = new Set<WeakRef<PlacedBatch>>();
  readonly #byBatch = new WeakMap<BlobBatch, WeakRef<PlacedBatch>>();
  #added = 0;

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

  /** The references of all batches. */
  refs(): readonly BlobRef[] {
    return [...this.#batches].flatMap((each) => each.deref()?.refs ?? []);
  }
}
