import type { BlobAddress, BlobEngine, EngineBlob, Fence, StoredObject } from "../engine/engine.js";
import { mapBounded } from "../engine/map-bounded.js";
import { randomName } from "../engine/sha256.js";
import type { Storage } from "./storage.js";

const CONCURRENT_CALLS = 16;
const LIST_PAGE = 1000;

/**
 * Blobs with a key each. A key is never used twice, so that a sweep cannot delete what another writer stored again.
 */
export class KeyValueBlobs implements BlobEngine {
  readonly chunkBytes = 1024 * 1024;
  readonly batchBytes = 16 * 1024 * 1024;
  readonly #storage: Storage;

  constructor(storage: Storage) {
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

  async *list(pool: string): AsyncGenerator<readonly StoredObject[]> {
    const prefix = `b/${pool}/`;
    let page: StoredObject[] = [];
    for await (const key of this.#storage.keys(prefix)) {
      page.push(objectNamed(key.slice(prefix.length)));
      if (page.length < LIST_PAGE) continue;
      yield page;
      page = [];
    }
    yield page;
  }

  async delete(pool: string, objects: readonly string[], _: Fence): Promise<boolean> {
    await this.#storage.delete(objects.map((name) => `b/${pool}/${name}`));
    return true;
  }

  async drop(pool: string): Promise<void> {
    for await (const page of this.list(pool))
      await this.#storage.delete(page.map(({ name }) => `b/${pool}/${name}`));
  }

  async *pools(prefix: string): AsyncGenerator<string> {
    yield* poolsOf(this.#storage, "b/", prefix);
  }

  #keyOf(pool: string, blob: BlobAddress): string {
    return `b/${pool}/${this.objectOf(blob)}`;
  }
}

/** The name of an object ends with its size, so that a list needs no further request. */
export function objectNamed(name: string): StoredObject {
  return { name, sizeBytes: Number.parseInt(name.slice(name.lastIndexOf(".") + 1), 36) };
}

/** The pools of all keys below `kind`, each once. */
export async function* poolsOf(
  storage: Storage,
  kind: string,
  prefix: string,
): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const key of storage.keys(`${kind}${prefix}`)) {
    const pool = key.slice(kind.length, key.lastIndexOf("/"));
    if (!seen.has(pool)) yield pool;
    seen.add(pool);
  }
}
