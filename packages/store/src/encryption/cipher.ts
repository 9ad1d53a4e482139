import { sha256 } from "../engine/sha256.js";
import { StoreError } from "../engine/store-error.js";

/** What a sealed value is for. A value that was moved to another purpose does not open. */
type Purpose = "state" | "delta" | "entry" | "root" | `events ${number}` | `transcript ${number}`;

/**
 * Encrypts contents and values for the server, and decrypts them. Await only promises: a plain cipher answers
 * immediately, and a promise for each content costs more than its hash.
 */
export interface Cipher {
  /** How many bytes a sealed value is longer. */
  readonly overheadBytes: number;
  /** The id under which a content is stored. */
  blobId(contentId: string): string | Promise<string>;
  sealBlob(id: string, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Rejects with `CORRUPT_BLOB` if the bytes are not the sealed ones. */
  openBlob(id: string, bytes: Uint8Array, subject: string): Uint8Array | Promise<Uint8Array>;
  seal(purpose: Purpose, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  open(purpose: Purpose, bytes: Uint8Array, subject: string): Uint8Array | Promise<Uint8Array>;
  /** The name under which an entry is stored, and back from its opened value. */
  entryKey(name: string): string | Promise<string>;
}

/** Stores everything as it is, and checks contents against their hash. */
export const plainCipher: Cipher = {
  overheadBytes: 0,
  blobId: (contentId) => contentId,
  sealBlob: (_, bytes) => bytes,
  openBlob(id, bytes, subject) {
    const hash = sha256(bytes);
    if (hash === id) return bytes;
    if (typeof hash === "string") throw new StoreError("CORRUPT_BLOB", subject);
    return hash.then((later) => {
      if (later !== id) throw new StoreError("CORRUPT_BLOB", subject);
      return bytes;
    });
  },
  seal: (_, bytes) => bytes,
  open: (_, bytes) => bytes,
  entryKey: (name) => name,
};
