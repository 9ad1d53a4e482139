import type { BlobAddress, BlobEngine, EngineBlob, Fence, StoredObject } from "../engine/engine.js";
import { type RedisConnection, type RedisReply, toArgument } from "./redis-connection.js";
import type { RedisKeys } from "./redis-keys.js";
import { DELETE_BLOBS } from "./redis-scripts.js";

const SCAN_COUNT = "1000";

/** Contents in one hash for each pool. */
export class RedisBlobs implements BlobEngine {
  readonly chunkBytes: number = 1024 * 1024;
  /** Small, because a script copies the arguments that it gets, and blocks the server while it runs. */
  readonly batchBytes: number = 4 * 1024 * 1024;
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;

  constructor(connection: RedisConnection, keys: RedisKeys) {
    this.#connection = connection;
    this.#keys = keys;
  }

  place(blobs: readonly unknown[]): readonly undefined[] {
    return blobs.map(() => undefined);
  }

  async put(pool: string, blobs: readonly EngineBlob[]): Promise<void> {
    const fields = blobs.flatMap(({ id, bytes }) => [Buffer.from(id, "hex"), toArgument(bytes)]);
    if (fields.length > 0) await this.#connection.send("HSET", this.#keys.blobs(pool), ...fields);
  }

  async get(pool: string, blobs: readonly BlobAddress[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const ids = blobs.map(({ id }) => Buffer.from(id, "hex"));
    const reply = await this.#connection.send("HMGET", this.#keys.blobs(pool), ...ids);
    const found = new Map<string, Uint8Array>();
    for (const [index, bytes] of (reply as readonly (Buffer | null)[]).entries()) {
      const id = blobs[index]?.id;
      if (bytes && id !== undefined) found.set(id, bytes);
    }
    return found;
  }

  objectOf({ id }: BlobAddress): string {
    return id;
  }

  async *list(pool: string): AsyncGenerator<readonly StoredObject[]> {
    const key = this.#keys.blobs(pool);
    const seen = new Set<string>();
    for await (const fields of this.#scan(["HSCAN", key])) {
      // HSCAN returns the values too, and an id may come twice.
      const page: StoredObject[] = [];
      for (let index = 0; index < fields.length; index += 2) {
        const name = (fields[index] as Buffer).toString("hex");
        if (!seen.has(name)) page.push({ name, sizeBytes: (fields[index + 1] as Buffer).length });
        seen.add(name);
      }
      yield page;
    }
  }

  async delete(pool: string, objects: readonly string[], { key, epoch }: Fence): Promise<boolean> {
    const ids = objects.map((id) => Buffer.from(id, "hex"));
    const keys = [this.#keys.head(key), this.#keys.blobs(pool)];
    return (await this.#connection.run(DELETE_BLOBS, keys, [epoch, ...ids])) === 1;
  }

  async drop(pool: string): Promise<void> {
    await this.#connection.send("UNLINK", this.#keys.blobs(pool));
  }

  async *pools(prefix: string): AsyncGenerator<string> {
    const match = ["MATCH", this.#keys.blobsPattern(prefix)];
    const seen = new Set<string>();
    for await (const keys of this.#scan(["SCAN"], match))
      for (const key of keys) {
        const pool = this.#keys.poolOf(String(key));
        if (!seen.has(pool)) yield pool;
        seen.add(pool);
      }
  }

  async *#scan(
    command: readonly string[],
    rest: readonly string[] = [],
  ): AsyncGenerator<readonly RedisReply[]> {
    let cursor = "0";
    do {
      const reply = await this.#connection.send(...command, cursor, ...rest, "COUNT", SCAN_COUNT);
      const [next, page] = reply as readonly [Buffer, readonly RedisReply[]];
      yield page;
      cursor = String(next);
    } while (cursor !== "0");
  }
}
