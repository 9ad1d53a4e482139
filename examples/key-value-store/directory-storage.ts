import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Storage, StoredValue } from "@wink/store";

/** A key-value store in a directory: a folder for each key, and a numbered file for each value: its version and bytes. */
export class DirectoryStorage implements Storage {
  readonly name = "directory";
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async get(key: string): Promise<StoredValue | undefined> {
    for (;;) {
      const names = (await unless("ENOENT", readdir(this.#folder(key)))) ?? [];
      const number = Math.max(0, ...names.filter((name) => /^\d+$/.test(name)).map(Number));
      if (number === 0) return undefined;
      const file = await unless("ENOENT", readFile(path.join(this.#folder(key), `${number}`)));
      // Without a file, another process has replaced the value in the meantime.
      if (file) return { version: `${number}-${file.subarray(0, 36)}`, bytes: file.subarray(36) };
    }
  }

  async set(key: string, bytes: Uint8Array): Promise<void> {
    while ((await this.#replace(key, bytes, () => true)) === undefined);
  }

  add(key: string, bytes: Uint8Array): Promise<string | undefined> {
    return this.#replace(key, bytes, (newest) => newest === undefined);
  }

  swap(key: string, version: string, bytes: Uint8Array): Promise<string | undefined> {
    return this.#replace(key, bytes, (newest) => newest?.version === version);
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const deleted = path.join(this.#root, `deleted-${randomUUID()}`);
      await unless("ENOENT", rename(this.#folder(key), deleted));
      await rm(deleted, { recursive: true, force: true });
    }
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    for (const folder of (await unless("ENOENT", readdir(this.#root))) ?? []) {
      const key = await unless("ENOENT", readFile(path.join(this.#root, folder, "key"), "utf8"));
      if (!folder.startsWith("deleted-") && key?.startsWith(prefix)) yield key;
    }
  }

  /** Only one writer can create a number: `link` fails if the file exists, or if the draft was deleted with its key. */
  async #replace(key: string, bytes: Uint8Array, isExpected: (newest?: StoredValue) => boolean) {
    const [folder, id] = [this.#folder(key), randomUUID()];
    const draft = path.join(folder, `draft-${id}`);
    await mkdir(folder, { recursive: true });
    await writeFile(draft, Buffer.concat([Buffer.from(id), bytes]), { flush: true });
    const newest = await this.get(key);
    const number = Number.parseInt(newest?.version ?? "0", 10) + 1;
    if (number === 1) await unless("ENOENT", writeFile(path.join(folder, "key"), key));
    const linked = () => link(draft, path.join(folder, `${number}`)).then(() => true);
    const isLinked = isExpected(newest) && (await unless("EEXIST", unless("ENOENT", linked())));
    // A slow writer can create a number that was deleted with the next one. It does not count.
    const isNewest = isLinked && (await this.get(key))?.version === `${number}-${id}`;
    for (const file of isNewest ? [draft, path.join(folder, `${number - 1}`)] : [draft])
      await rm(file, { force: true });
    return isNewest ? `${number}-${id}` : undefined;
  }

  #folder(key: string): string {
    return path.join(this.#root, createHash("sha256").update(key).digest("hex"));
  }
}

/** `undefined` if the call fails with this code. */
function unless<T>(code: string, call: Promise<T>): Promise<T | undefined> {
  return call.catch((error) => (error.code === code ? undefined : Promise.reject(error)));
}
