import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Storage, StoredValue } from "@wink/store";

/** A key-value store in a directory: a folder for each key, and a numbered file for each version of its value. */
export class DirectoryStorage implements Storage {
  readonly name = "directory";
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async get(key: string): Promise<StoredValue | undefined> {
    for (let version = await this.#last(key); version > 0; version = await this.#last(key)) {
      const bytes = await unless("ENOENT", readFile(path.join(this.#folder(key), `${version}`)));
      // Without bytes, another process has replaced the version in the meantime.
      if (bytes !== undefined) return { bytes, version: `${version}` };
    }
    return undefined;
  }

  async set(key: string, bytes: Uint8Array): Promise<void> {
    while ((await this.#create(key, (await this.#last(key)) + 1, bytes)) === undefined);
  }

  async add(key: string, bytes: Uint8Array): Promise<string | undefined> {
    return (await this.#last(key)) === 0 ? this.#create(key, 1, bytes) : undefined;
  }

  async swap(key: string, version: string, bytes: Uint8Array): Promise<string | undefined> {
    const next = Number(version) + 1;
    return (await this.#last(key)) === next - 1 ? this.#create(key, next, bytes) : undefined;
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) await rm(this.#folder(key), { recursive: true, force: true });
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    for (const folder of (await unless("ENOENT", readdir(this.#root))) ?? []) {
      const key = await unless("ENOENT", readFile(path.join(this.#root, folder, "key"), "utf8"));
      if (key?.startsWith(prefix)) yield key;
    }
  }

  /**
   * Only one writer can create a version, because `link` fails if the file exists. A version is deleted when the next one
   * is created, so a slow writer can create an old one again. That does not count, because a newer one exists.
   */
  async #create(key: string, version: number, bytes: Uint8Array): Promise<string | undefined> {
    const folder = this.#folder(key);
    const draft = path.join(folder, `draft-${randomUUID()}`);
    await mkdir(folder, { recursive: true });
    if (version === 1) await writeFile(path.join(folder, "key"), key);
    await writeFile(draft, bytes, { flush: true });
    const linked = link(draft, path.join(folder, `${version}`)).then(() => true);
    const isCreated = (await unless("EEXIST", linked)) && (await this.#last(key)) === version;
    for (const file of [draft, ...(isCreated ? [path.join(folder, `${version - 1}`)] : [])])
      await rm(file, { force: true });
    return isCreated ? `${version}` : undefined;
  }

  /** The newest version, or 0. */
  async #last(key: string): Promise<number> {
    const names = (await unless("ENOENT", readdir(this.#folder(key)))) ?? [];
    return Math.max(0, ...names.filter((name) => /^\d+$/.test(name)).map(Number));
  }

  #folder(key: string): string {
    return path.join(this.#root, createHash("sha256").update(key).digest("hex"));
  }
}

/** `undefined` if the call fails with this code. */
function unless<T>(code: string, call: Promise<T>): Promise<T | undefined> {
  return call.catch((error) => (error.code === code ? undefined : Promise.reject(error)));
}
