import { quoted } from "../arguments/quoted.js";
import { checkOptions } from "../engine/check-options.js";
import { toBytes, toText } from "../engine/frames.js";
import { StoreError } from "../engine/store-error.js";
import type { Cipher } from "./cipher.js";
import { decrypt, encrypt, own, sealedCipher } from "./sealed-cipher.js";
import type { Vault } from "./vault.js";

/** Keys for encryption at rest. */
export interface EncryptionOptions {
  /** Keys of 32 random bytes, by a name that is stored with what they protect. Keep old keys until `rewrapKeys` is done. */
  readonly keys: Readonly<Record<string, Uint8Array>>;
  /** The name of the key for new heads. */
  readonly current: string;
}

/** A data key of a pool, wrapped with a key that the user gave. */
interface WrappedKey {
  readonly key: string;
  /** In base64. */
  readonly wrapped: string;
}

interface StoredKeys {
  readonly format: 1;
  /** One key for each pool; the key of the head's own pool is the last. */
  readonly pools: readonly WrappedKey[];
}

const KEY_BYTES = 32;
const PURPOSE = "wink.store.data-key";

/** Wraps a random data key for each head. Rotation wraps the data keys again, and no content changes. */
export class KeyRing implements Vault {
  readonly #keys: Readonly<Record<string, Uint8Array>>;
  readonly #current: string;

  constructor(options: EncryptionOptions) {
    checkOptions("encryption", options ?? null, ["keys", "current"]);
    this.#keys = options.keys ?? {};
    this.#current = options.current;
    for (const [name, key] of Object.entries(this.#keys))
      if (!(key instanceof Uint8Array) || key.length !== KEY_BYTES)
        throw new StoreError(
          "ARGUMENT_INVALID",
          "encryption",
          `key ${quoted(name)} must have 32 bytes`,
        );
    if (typeof this.#current !== "string" || !Object.hasOwn(this.#keys, this.#current))
      throw new StoreError(
        "ARGUMENT_INVALID",
        "encryption",
        "current must be the name of one of the keys",
      );
  }

  async newKeys(parent: Uint8Array | undefined, subject: string): Promise<Uint8Array> {
    const pools = parent ? parse(parent, subject).pools : [];
    const dataKey = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
    return encode([...pools, await this.#wrap(dataKey)]);
  }

  async ciphers(
    keys: Uint8Array | undefined,
    pools: number,
    subject: string,
  ): Promise<readonly Cipher[]> {
    if (keys === undefined)
      throw new StoreError(
        "ARGUMENT_INVALID",
        subject,
        "it is not encrypted. Open it with a store without the option encryption",
      );
    const stored = parse(keys, subject).pools;
    if (stored.length !== pools) throw new StoreError("CORRUPT_BLOB", subject);
    return Promise.all(
      stored.map(async (wrapped) => sealedCipher(await this.#unwrap(wrapped, subject))),
    );
  }

  async rewrap(keys: Uint8Array | undefined, subject: string): Promise<Uint8Array | undefined> {
    if (keys === undefined) return undefined;
    const { pools } = parse(keys, subject);
    if (pools.every(({ key }) => key === this.#current)) return undefined;
    const dataKeys = await Promise.all(pools.map((wrapped) => this.#unwrap(wrapped, subject)));
    return encode(await Promise.all(dataKeys.map((dataKey) => this.#wrap(dataKey))));
  }

  async #wrap(dataKey: Uint8Array): Promise<WrappedKey> {
    const wrapped = await encrypt(await this.#import(this.#current), PURPOSE, dataKey);
    return { key: this.#current, wrapped: toBase64(wrapped) };
  }

  async #unwrap({ key, wrapped }: WrappedKey, subject: string): Promise<Uint8Array> {
    if (!Object.hasOwn(this.#keys, key))
      throw new StoreError("ARGUMENT_INVALID", subject, `it needs the key ${quoted(key)}`);
    const opened = await decrypt(await this.#import(key), PURPOSE, fromBase64(wrapped));
    if (opened === undefined)
      throw new StoreError(
        "ARGUMENT_INVALID",
        subject,
        `the key ${quoted(key)} has changed since the store was opened`,
      );
    return opened;
  }

  #import(name: string) {
    // The names are checked before.
    const bytes = own(this.#keys[name] as Uint8Array);
    return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  }
}

function encode(pools: readonly WrappedKey[]): Uint8Array {
  const stored: StoredKeys = { format: 1, pools };
  return toBytes(JSON.stringify(stored));
}

function parse(keys: Uint8Array, subject: string): StoredKeys {
  try {
    // Only `encode` writes it.
    const stored = JSON.parse(toText(keys)) as StoredKeys;
    if (stored.format === 1) return stored;
  } catch {
    // Text that is not JSON gets the same error as JSON of a wrong form.
  }
  throw new StoreError("CORRUPT_BLOB", subject, "its keys are damaged or of a newer version");
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
