import { describeKind } from "../arguments/describe-kind.js";
import { StoreError } from "../engine/store-error.js";
import type { Storage, StoredValue } from "./storage.js";

/** A `Storage` in memory, for tests and for work that may be lost. */
export class MemoryStorage implements Storage {
  readonly name = "memory";
  readonly #values = new Map<string, StoredValue>();
  #writes = 0;

  async get(key: string): Promise<StoredValue | undefined> {
    return this.#values.get(key);
  }

  async set(key: string, bytes: Uint8Array): Promise<void> {
    this.#write(key, bytes);
  }

  async add(key: string, bytes: Uint8Array): Promise<string | undefined> {
    return this.#values.has(key) ? undefined : this.#write(key, bytes);
  }

  async delete(keys: readonly string[]): Promise<void> {
    requireKeys(keys);
    for (const key of keys) this.#values.delete(key);
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    if (typeof prefix !== "string") throw wrong("a prefix", prefix);
    for (const key of [...this.#values.keys()]) if (key.startsWith(prefix)) yield key;
  }

  async swap(key: string, version: string, bytes: Uint8Array): Promise<string | undefined> {
    return this.#values.get(key)?.version === version ? this.#write(key, bytes) : undefined;
  }

  async getMany(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    requireKeys(keys);
    const found = keys.flatMap((key) => {
      const value = this.#values.get(key);
      return value === undefined ? [] : [[key, value.bytes] as const];
    });
    return new Map(found);
  }

  #write(key: string, bytes: Uint8Array): string {
    if (typeof key !== "string") throw wrong("a key", key);
    if (!(bytes instanceof Uint8Array)) throw wrong("a Uint8Array", bytes);
    this.#writes += 1;
    const version = String(this.#writes);
    // A copy: the caller may reuse its buffer.
    this.#values.set(key, { bytes: bytes.slice(), version });
    return version;
  }
}

function requireKeys(keys: unknown): void {
  if (!Array.isArray(keys)) throw wrong("an array of keys", keys);
}

function wrong(expected: string, value: unknown): StoreError {
  const reason = `expected ${expected}, got ${describeKind(value)}`;
  return new StoreError("ARGUMENT_INVALID", "MemoryStorage", reason);
}
