import { concatBytes } from "../content/bytes.js";
import type { DriverStat, FilesystemDriver } from "../driver/driver.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { CallOptions } from "../protocol/filesystem.js";

/** The number of bytes hashed at a time. */
export const PIECE_BYTES = 1024 * 1024;

/**
 * The revision of a file's content: the driver's own, if it has one, or a hash.
 *
 * A large file is hashed in pieces, and the revision is the hash of these hashes, so that only one piece is in memory.
 */
export async function revisionOf(
  driver: FilesystemDriver,
  path: VirtualPath,
  stat: DriverStat,
  options: CallOptions,
  bytes?: Uint8Array,
): Promise<string> {
  if (stat.revision !== undefined) return stat.revision;
  const { accelerate } = driver;
  if (accelerate?.revision) return await accelerate.revision(path, options);
  if (bytes) return await revisionOfBytes(bytes);
  const hashes: Uint8Array[] = [];
  for (let offset = 0; offset === 0 || offset < stat.sizeBytes; offset += PIECE_BYTES) {
    hashes.push(await sha256(await driver.read(path, offset, PIECE_BYTES, options)));
  }
  return await joinHashes(hashes);
}

/** The same hash for bytes in memory. */
export async function revisionOfBytes(bytes: Uint8Array): Promise<string> {
  const hashes: Uint8Array[] = [];
  for (let offset = 0; offset === 0 || offset < bytes.length; offset += PIECE_BYTES)
    hashes.push(await sha256(bytes.subarray(offset, offset + PIECE_BYTES)));
  return await joinHashes(hashes);
}

async function joinHashes(hashes: readonly Uint8Array[]): Promise<string> {
  const [only] = hashes;
  return hex(hashes.length === 1 && only ? only : await sha256(concatBytes(hashes)));
}

export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  // A copy, because `digest` does not accept shared memory.
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes.slice()));
}

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
