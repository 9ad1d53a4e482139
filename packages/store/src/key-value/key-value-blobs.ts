import type { BlobAddress, BlobEngine, EngineBlob } from "../engine/engine.js";
import { mapBounded } from "../engine/map-bounded.js";
import { randomName } from "../engine/sha256.js";
import { NamedObjects } from "./named-objects.js";
import type { Storage } from "./storage.js";

const CONCURRENT_CALLS = 16;

/**
 * Blobs with a key each. A key is never used twice, so that a sweep cannot delete what another writer stored again.
 */
export class KeyValueBlobs extends NamedObjects implements BlobEngine {
  readonly chunkBytes = 1024 * 1024;
  readonly batchBytes = 16 * 1024 * 1024;
  readonly #storage: Storage;

  constructor(storage: Storage) {
    super(storage, "b");
    this.#storage = storage;
  }

  place(blobs: readonly { readonly sizeBytes: number }[]): readonly string[] {
    const batch = randomName();
    return blobs.map(
      ({ sizeBytes }, index) => `${batch}${index.toString(36)}.${sizeBytes.toString(36)}`,
    );
  }

  async put(pool: string, blobs: readonly EngineBlob[], signal?: AbortSignal): Promise<void> {
    await mapBounded(blobs, CONCURRENT_CALLS, (blob) =>
      this.#storage.set(this.#keyOf(pool, blob), blob.bytes, signal),
    );
  }

  async get(
    pool: string,
    blobs: readonly BlobAddress[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const keys = new Map(blobs.map((blob) => [this.#keyOf(pool, blob), blob.id]));
    const found = new Map<string, Uint8Array>();
    // All keys are in the map.
    const add = (key: string, bytes: Uint8Array) => found.set(keys.get(key) as string, bytes);
    if (this.#storage.getMany) {
      for (const [key, bytes] of await this.#storage.getMany([...keys.keys()], signal))
        add(key, bytes);
      return found;
    }
    await mapBounded([...keys.keys()], CONCURRENT_CALLS, async (key) => {
      const value = await this.#storage.get(key, signal);
      if (value !== undefined) add(key, value.bytes);
    });
    return found;
  }

  objectOf({ id, at }: BlobAddress): string {
    return `${id}.${at}`;
  }

  #keyOf(pool: string, blob: BlobAddress): string {
    return `b/${pool}/${this.objectOf(blob)}`;
  }
}
