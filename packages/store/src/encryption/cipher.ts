import { sha256 } from "../engine/sha256.js";
import { StoreError } from "../engine/store-error.js";

/** What a sealed value is for. A value that was moved to another purpose does not open. */
export type Purpose =
  | "state"
  | "delta"
  | "entry"
  | "root"
  | `events ${number}`
  | `transcript ${number}`;

/** Turns contents and values into what the server stores, and back. */
export interface Cipher {
  /** How many bytes a sealed value is longer. */
  readonly overheadBytes: number;
  /** The id under which a content is stored. */
  blobId(contentId: string): Promise<string>;
  sealBlob(id: string, bytes: Uint8Array): Promise<Uint8Array>;
  /** Rejects with `CORRUPT_BLOB` if it is not what was sealed. */
  openBlob(id: string, bytes: Uint8Array, subject: string): Promise<Uint8Array>;
  seal(purpose: Purpose, bytes: Uint8Array): Promise<Uint8Array>;
  open(purpose: Purpose, bytes: Uint8Array, subject: string): Promise<Uint8Array>;
  /** The name under which an entry is stored, and back from its opened value. */
  entryKey(name: string): Promise<string>;
}

/** Stores everything as it is, and checks contents against their hash. */
export const plainCipher: Cipher = {
  overheadBytes: 0,
  blobId: async (contentId) => contentId,
  sealBlob: async (_, bytes) => bytes,
  async openBlob(id, bytes, subject) {
    if ((await sha256(bytes)) !== id) throw new StoreError("CORRUPT_BLOB", subject);
    return bytes;
  },
  seal: async (_, bytes) => bytes,
  open: async (_, bytes) => bytes,
  entryKey: async (name) => name,
};
