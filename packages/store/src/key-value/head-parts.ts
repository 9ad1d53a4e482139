import { mapBounded } from "../engine/map-bounded.js";
import { randomName } from "../engine/sha256.js";
import { StoreError } from "../engine/store-error.js";
import type { StoredPart } from "./head-object.js";
import type { Storage } from "./storage.js";

/** Larger values are stored next to the head, because each commit writes the head. */
const MAX_INLINE_BYTES = 8 * 1024;
const CONCURRENT_CALLS = 16;

/** Stores the large values of one commit, under names that are never used twice. */
export class ObjectWriter {
  readonly #storage: Storage;
  readonly #pool: string;
  readonly #commit = randomName();
  readonly #waiting: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  #count = 0;

  constructor(storage: Storage, pool: string) {
    this.#storage = storage;
    this.#pool = pool;
  }

  put(bytes: Uint8Array): StoredPart {
    return bytes.length > MAX_INLINE_BYTES ? { object: this.putObject(bytes) } : { bytes };
  }

  /** The name of the object with its pool. */
  putObject(bytes: Uint8Array): string {
    const name = `${this.#pool}/${this.#commit}${(this.#count++).toString(36)}`;
    this.#waiting.push({ name, bytes });
    return name;
  }

  async flush(): Promise<void> {
    await mapBounded(this.#waiting.splice(0), CONCURRENT_CALLS, ({ name, bytes }) =>
      this.#storage.set(`o/${name}`, bytes),
    );
  }
}

export async function partBytes(
  storage: Storage,
  part: StoredPart,
  subject: string,
): Promise<Uint8Array> {
  if ("bytes" in part) return part.bytes;
  const value = await storage.get(`o/${part.object}`);
  if (value === undefined) throw new StoreError("MISSING_BLOB", subject);
  return value.bytes;
}
