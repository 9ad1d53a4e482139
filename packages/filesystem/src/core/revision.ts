import type { DriverStat, FilesystemDriver } from "../driver.js";
import type { VirtualPath } from "../virtual-path.js";

const CHUNK_BYTES = 1024 * 1024;

/**
 * The token of a file's content: the driver's own where it has one, else a hash.
 *
 * A large file is hashed in pieces and the pieces' hashes once more, so that no
 * more than one piece is held.
 */
export async function revisionOf(
  driver: FilesystemDriver,
  path: VirtualPath,
  stat: DriverStat,
  bytes?: Uint8Array,
): Promise<string> {
  if (stat.revision !== undefined) return stat.revision;
  if (driver.revision) return await driver.revision(path);
  const hashes: Uint8Array[] = [];
  for (let offset = 0; offset === 0 || offset < stat.sizeBytes; offset += CHUNK_BYTES) {
    const chunk = bytes
      ? bytes.subarray(offset, offset + CHUNK_BYTES)
      : await driver.read(path, offset, CHUNK_BYTES);
    hashes.push(await sha256(chunk));
  }
  const [only] = hashes;
  return hex(hashes.length === 1 && only ? only : await sha256(join(hashes)));
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  // A view of its own buffer: the hash does not take shared memory.
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes.slice()));
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
