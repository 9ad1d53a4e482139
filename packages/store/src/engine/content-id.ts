import { sha256 } from "./sha256.js";
import { StoreError } from "./store-error.js";

/**
 * The id of a content: SHA-256 of its bytes in hexadecimal digits. It is a promise only in a runtime without Node's
 * modules, such as a browser.
 */
export function contentIdOf(bytes: Uint8Array): string | Promise<string> {
  if (bytes instanceof Uint8Array) return sha256(bytes);
  throw new StoreError("ARGUMENT_INVALID", "contentIdOf", "expected a Uint8Array");
}
