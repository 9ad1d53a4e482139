import { toBytes } from "../engine/frames.js";
import { toHex } from "../engine/sha256.js";
import { StoreError } from "../engine/store-error.js";
import type { Cipher } from "./cipher.js";

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Bytes that are not in shared memory, as WebCrypto wants them. */
export function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}

/** AES-256-GCM with a random nonce in front. The purpose is authenticated, but not stored. */
export async function encrypt(key: Key, purpose: string, bytes: Uint8Array): Promise<Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: own(toBytes(purpose)) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, own(bytes)));
  const joined = new Uint8Array(NONCE_BYTES + sealed.length);
  joined.set(iv);
  joined.set(sealed, NONCE_BYTES);
  return joined;
}

/** Resolves to `undefined` if the bytes are damaged, or sealed with another key or for another purpose. */
export async function decrypt(
  key: Key,
  purpose: string,
  bytes: Uint8Array,
): Promise<Uint8Array | undefined> {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const iv = own(bytes.slice(0, NONCE_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: own(toBytes(purpose)) };
  try {
    const sealed = own(bytes.slice(NONCE_BYTES));
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, sealed));
  } catch {
    // WebCrypto reports every reason in the same way.
    return undefined;
  }
}

/** Seals everything with a data key. The ids of contents are keyed hashes, so that they tell nothing about a content. */
export async function sealedCipher(dataKey: Uint8Array): Promise<Cipher> {
  const base = await crypto.subtle.importKey("raw", own(dataKey), "HKDF", false, ["deriveKey"]);
  const derivation = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: own(toBytes(info)),
  });
  const aes = { name: "AES-GCM", length: 256 };
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 };
  const key = await crypto.subtle.deriveKey(derivation("wink.store.contents"), base, aes, false, [
    ...(["encrypt", "decrypt"] as const),
  ]);
  const idKey = await crypto.subtle.deriveKey(derivation("wink.store.ids"), base, hmac, false, [
    "sign",
  ]);
  const keyedHash = async (text: string) =>
    toHex(new Uint8Array(await crypto.subtle.sign("HMAC", idKey, own(toBytes(text)))));
  const open = async (purpose: string, bytes: Uint8Array, subject: string) => {
    const opened = await decrypt(key, purpose, bytes);
    if (opened === undefined) throw new StoreError("CORRUPT_BLOB", subject);
    return opened;
  };
  return {
    overheadBytes: NONCE_BYTES + TAG_BYTES,
    blobId: (contentId) => keyedHash(`content ${contentId}`),
    sealBlob: (id, bytes) => encrypt(key, `blob ${id}`, bytes),
    openBlob: (id, bytes, subject) => open(`blob ${id}`, bytes, subject),
    seal: (purpose, bytes) => encrypt(key, purpose, bytes),
    open,
    entryKey: (name) => keyedHash(`entry ${name}`),
  };
}
