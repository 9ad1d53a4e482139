import { createHash, type Hash, hash } from "node:crypto";

export type ObjectType = "blob" | "tree" | "commit";

/** The hash algorithm of a repository's object IDs. */
export interface ObjectFormat {
  readonly name: "sha1" | "sha256";
  readonly idBytes: number;
}

export const SHA1: ObjectFormat = { name: "sha1", idBytes: 20 };
export const SHA256: ObjectFormat = { name: "sha256", idBytes: 32 };

/** An object that was read: its type and its bytes. */
export interface StoredObject {
  readonly type: ObjectType;
  readonly content: Buffer;
}

/** The header that git puts before the content of an object, in loose files and for computing the ID. */
export function objectHeader(type: string, sizeBytes: number): Buffer {
  return Buffer.from(`${type} ${sizeBytes}\0`, "latin1");
}

export function objectId(format: ObjectFormat, type: string, content: Uint8Array): string {
  // Hash small objects in one call, because creating a hash object costs more than hashing them.
  if (content.length > SMALL_BYTES)
    return startObjectId(format, type, content.length).update(content).digest("hex");
  const header = `${type} ${content.length}\0`;
  scratch.write(header, 0, "latin1");
  scratch.set(content, header.length);
  return hash(format.name, scratch.subarray(0, header.length + content.length));
}

const SMALL_BYTES = 64 * 1024;
const scratch = Buffer.alloc(SMALL_BYTES + 64);

/** Starts the ID of an object whose content comes in pieces. */
export function startObjectId(format: ObjectFormat, type: string, sizeBytes: number): Hash {
  return createHash(format.name).update(objectHeader(type, sizeBytes));
}

/** Whether `id` can be an object ID: hexadecimal and of the right length. */
export function isObjectId(format: ObjectFormat, id: unknown): id is string {
  return typeof id === "string" && id.length === format.idBytes * 2 && /^[0-9a-f]+$/.test(id);
}
