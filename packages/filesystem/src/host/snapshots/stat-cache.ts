import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { readIfThere, removeIfThere, replaceFile } from "../process/store-io.js";
import type { ScannedDirectory } from "./scanned-tree.js";

/**
 * Version 2 includes names like those of temporary files, and does not mark files as settled that may change
 * without a new stat. Version 3 has trees with attributes.
 */
const VERSION = 3;
const CHECKSUM_BYTES = 32;

/** A saved scan is used only if all these fields are equal. */
export interface CacheKey {
  readonly rootKey: string;
  readonly policyKey: string;
  readonly generation: string;
}

interface CacheContent extends CacheKey {
  readonly version: number;
  readonly tree: ScannedDirectory;
}

/**
 * Saves the last scan for the next process.
 *
 * This only saves time: if the file is damaged, or belongs to another workspace or policy, everything is read
 * again.
 */
export class StatCacheFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  load(key: CacheKey): ScannedDirectory | undefined {
    const file = readIfThere(this.#path);
    if (file === undefined || file.length <= CHECKSUM_BYTES) return undefined;
    const payload = file.subarray(CHECKSUM_BYTES);
    if (!checksum(payload).equals(file.subarray(0, CHECKSUM_BYTES))) return undefined;
    const content = parse(payload);
    const fits =
      content?.version === VERSION &&
      content.rootKey === key.rootKey &&
      content.policyKey === key.policyKey &&
      content.generation === key.generation;
    return fits ? content.tree : undefined;
  }

  save(key: CacheKey, tree: ScannedDirectory): void {
    const content: CacheContent = { version: VERSION, ...key, tree };
    // A tree can be too deep to be serialised. Then the next process reads everything.
    const payload = attempt(() => serialize(content));
    if (payload === undefined) this.remove();
    else replaceFile(this.#path, [checksum(payload), payload], { fsync: false });
  }

  remove(): void {
    removeIfThere(this.#path);
  }
}

function checksum(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function parse(payload: Buffer): CacheContent | undefined {
  // The checksum shows that this code wrote it, so only the version must be checked.
  return attempt(() => deserialize(payload) as CacheContent);
}

function attempt<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch {
    return undefined;
  }
}
