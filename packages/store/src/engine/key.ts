import { quoted } from "../arguments/quoted.js";
import { StoreError } from "./store-error.js";

const MAX_ID_BYTES = 200;
const MAX_TENANT_BYTES = 64;

/**
 * The key of a head: tenant and id, in letters that every server, path and collation keeps apart.
 *
 * Two ids never have the same key, and the key of one tenant is never a prefix of another's.
 */
export function encodeKey(tenant: string, id: string): string {
  return `${encodeTenant(tenant)}${encodePart(id, "id", MAX_ID_BYTES)}`;
}

/**
 * The prefix of all keys of a tenant. The empty tenant is the store itself, and its name is not an encoded one, because
 * hexadecimal digits follow each '.' there.
 */
export function encodeTenant(tenant: string): string {
  return tenant === "" ? ".root/" : `${encodePart(tenant, "tenant", MAX_TENANT_BYTES)}/`;
}

/** The id of a key. */
export function decodeKey(key: string): string {
  const part = key.slice(key.indexOf("/") + 1);
  const bytes = part.replace(/\.([0-9a-f]{2})/g, (_, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes);
}

function encodePart(name: string, argument: string, maxBytes: number): string {
  if (typeof name !== "string" || name === "" || !name.isWellFormed())
    throw new StoreError(
      "ARGUMENT_INVALID",
      argument,
      `expected a text that is not empty, got ${name === "" ? "''" : quoted(name)}`,
    );
  const bytes = new TextEncoder().encode(name);
  if (bytes.length > maxBytes)
    throw new StoreError(
      "ARGUMENT_INVALID",
      argument,
      `${quoted(name)} has ${bytes.length} bytes. At most ${maxBytes} are allowed`,
    );
  let text = "";
  for (const byte of bytes) {
    const letter = String.fromCharCode(byte);
    text += /[A-Za-z0-9_-]/.test(letter) ? letter : `.${byte.toString(16).padStart(2, "0")}`;
  }
  return text;
}
