import { concatBytes } from "../content/bytes.js";
import type { DriverStat, FilesystemDriver, NewRevision } from "../driver/driver.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { CallOptions, WriteMode, WriteOptions } from "../protocol/filesystem.js";
import { revisionOf, revisionOfBytes } from "./revision.js";

/** A larger file is not held in memory when it is appended to; it is read back in pieces. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

/**
 * The old content of a file that is appended to, if it is needed to compute the new revision. It is read before the write,
 * because a completed write must not fail when it cannot be read back.
 */
export async function keptBytes(
  driver: FilesystemDriver,
  path: VirtualPath,
  mode: WriteMode | undefined,
  stat: DriverStat | undefined,
  options: CallOptions,
): Promise<Uint8Array | undefined> {
  if (mode !== "append" || stat === undefined || tellsRevisions(driver, stat)) return undefined;
  if (stat.sizeBytes > MAX_KEPT_BYTES) return undefined;
  return await driver.read(path, 0, stat.sizeBytes, options);
}

/** Whether the backend has its own revisions. */
export function tellsRevisions(driver: FilesystemDriver, stat: DriverStat): boolean {
  return stat.revision !== undefined || driver.accelerate?.revision !== undefined;
}

/** The revision of the content just written: returned by the write, read from the driver, or computed as a hash. */
export async function writtenRevision(
  driver: FilesystemDriver,
  path: VirtualPath,
  returned: NewRevision,
  content: () => Uint8Array,
  options: CallOptions,
): Promise<string> {
  if (typeof returned === "string") return returned;
  const known = content();
  try {
    const stat = await driver.stat(path, options);
    // When a large file was appended to, `known` has only the new part.
    const mustAsk = stat && (tellsRevisions(driver, stat) || stat.sizeBytes !== known.length);
    if (mustAsk) return await revisionOf(driver, path, stat, options);
  } catch {
    // The write has succeeded anyway.
  }
  return await revisionOfBytes(known);
}

/** Writes bytes and returns the new revision of the file. */
export async function writeAndTell(
  driver: FilesystemDriver,
  path: VirtualPath,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<string> {
  const { mode = "overwrite" } = options;
  const kept = await keptBytes(driver, path, mode, await driver.stat(path, options), options);
  options.signal?.throwIfAborted();
  const returned = await driver.write(path, bytes, mode, options);
  const whole = () => (kept ? concatBytes([kept, bytes]) : bytes);
  return await writtenRevision(driver, path, returned, whole, options);
}
