import { decodeHead, encodeHead, type HeadObject } from "./head-object.js";
import type { Storage } from "./storage.js";

const MAX_CACHED_HEADS = 200;

/** A head and the version of the value that it was read from. */
export interface HeadValue {
  readonly head: HeadObject;
  readonly version: string;
}

/** Reads and swaps the values of heads, and caches them for the next swap. */
export class HeadValues {
  readonly #storage: Storage;
  readonly #cache = new Map<string, HeadValue>();
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async get(key: string): Promise<HeadValue | undefined> {
    const value = await this.#storage.get(`h/${key}`);
    if (value === undefined) {
      this.#cache.delete(key);
      return undefined;
    }
    const head = decodeHead(value.bytes, `head '${key}'`);
    return this.#remember(key, { head, version: value.version });
  }

  /** The cached head if it has this version, else the stored one. */
  async at(key: string, version: number): Promise<HeadValue | undefined> {
    const cached = this.#cache.get(key);
    return cached?.head.version === version ? cached : this.get(key);
  }

  cached(key: string): HeadValue | undefined {
    return this.#cache.get(key);
  }

  forget(key: string): void {
    this.#cache.delete(key);
  }

  /** Resolves to `false` when the value is no longer `found`. */
  async replace(key: string, found: HeadValue | undefined, head: HeadObject): Promise<boolean> {
    const bytes = encodeHead(head);
    // Until the answer arrives, the stored value is unknown.
    this.#cache.delete(key);
    const version = found
      ? await this.#storage.swap(`h/${key}`, found.version, bytes)
      : await this.#storage.add(`h/${key}`, bytes);
    if (version === undefined) return false;
    this.#remember(key, { head, version });
    return true;
  }

  /** The calls of one process for one head do not compete with each other. */
  serialise<T>(key: string, body: () => Promise<T>): Promise<T> {
    const result = (this.#queues.get(key) ?? Promise.resolve()).then(body);
    const settled = result.catch(() => {});
    this.#queues.set(key, settled);
    void settled.then(() => {
      if (this.#queues.get(key) === settled) this.#queues.delete(key);
    });
    return result;
  }

  #remember(key: string, value: HeadValue): HeadValue {
    this.#cache.delete(key);
    this.#cache.set(key, value);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED_HEADS && oldest !== undefined) this.#cache.delete(oldest);
    return value;
  }
}
