import type { Fence, StoredObject } from "../engine/engine.js";
import type { Storage } from "./storage.js";

const LIST_PAGE = 1000;

/** The objects that hold blobs, with the keys `<kind>/<pool>/<name>`. A name ends with the size of its object. */
export class NamedObjects {
  readonly #storage: Storage;
  readonly #kind: string;

  constructor(storage: Storage, kind: string) {
    this.#storage = storage;
    this.#kind = kind;
  }

  async *list(pool: string): AsyncGenerator<readonly StoredObject[]> {
    const prefix = this.#keyOf(pool, "");
    let page: StoredObject[] = [];
    for await (const key of this.#storage.keys(prefix)) {
      const name = key.slice(prefix.length);
      // The name has the size, so a list needs no further request.
      const sizeBytes = Number.parseInt(name.slice(name.lastIndexOf(".") + 1), 36);
      page.push({ name, sizeBytes });
      if (page.length < LIST_PAGE) continue;
      yield page;
      page = [];
    }
    yield page;
  }

  async delete(pool: string, objects: readonly string[], _: Fence): Promise<boolean> {
    await this.#storage.delete(objects.map((name) => this.#keyOf(pool, name)));
    return true;
  }

  async drop(pool: string): Promise<void> {
    for await (const page of this.list(pool))
      await this.#storage.delete(page.map(({ name }) => this.#keyOf(pool, name)));
  }

  /** The pools of all keys, each once. */
  async *pools(prefix: string): AsyncGenerator<string> {
    const seen = new Set<string>();
    for await (const key of this.#storage.keys(`${this.#kind}/${prefix}`)) {
      const pool = key.slice(this.#kind.length + 1, key.lastIndexOf("/"));
      if (!seen.has(pool)) yield pool;
      seen.add(pool);
    }
  }

  #keyOf(pool: string, name: string): string {
    return `${this.#kind}/${pool}/${name}`;
  }
}
