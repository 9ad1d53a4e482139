import { sha256 as hash } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 of a text's UTF-8, in hexadecimal. Synchronous on every platform, unlike Web Crypto. */
export function sha256(text: string): string {
  const crypto = globalThis.process?.getBuiltinModule?.("node:crypto");
  if (crypto !== undefined) return crypto.createHash("sha256").update(text).digest("hex");
  return bytesToHex(hash(utf8ToBytes(text)));
}
