import { sha256 } from "./sha256.js";
import { StoreError } from "./store-error.js";

/** The id of a content: SHA-256 of its bytes in hexadecimal digits. */
export async function contentIdOf(bytes: Uint8Array): Promise<string> {
  if (bytes instanceof Uint8Array) return await sha256(bytes);
  throw new StoreError("ARGUMENT_INVALID", "contentIdOf", "expected a Uint8Array");
}
