import { concatBytes } from "../content/bytes.js";
import type { DriverStat, FilesystemDriver, NewRevision } from "../driver/driver.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { WriteMode, WriteOptions } from "../protocol/filesystem.js";
import { revisionOf, revisionOfBytes } from "./revision.js";

/** More than this is not held: then what was appended to is read back, piece by piece. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

/**
 * What a file holds already, for a write that appends to it and must say afterwards which content there is. Read before: a
 * write that has happened must not fail because it cannot be read back. `undefined` where nobody needs it.
 */
export async function keptBytes(
  driver: FilesystemDriver,
  path: VirtualPath,
  mode: WriteMode | undefined,
  stat: DriverStat | undefined,
): Promise<Uint8Array | undefined> {
  if (mode !== "append" || stat === undefined || tellsRevisions(driver, stat)) return undefined;
  if (stat.sizeBytes > MAX_KEPT_BYTES) return undefined;
  return await driver.read(path, 0, stat.sizeBytes);
}

/** Whether the backend has tokens of its own. */
export function tellsRevisions(driver: FilesystemDriver, stat: DriverStat): boolean {
  return stat.revision !== undefined || driver.revision !== undefined;
}

/** The token of what was just written: what the driver said of it, or would say, or a hash. */
export async function writtenRevision(
  driver: FilesystemDriver,
  path: VirtualPath,
  said: NewRevision,
  content: () => Uint8Array,
): Promise<string> {
  if (typeof said === "string") return said;
  const known = content();
  try {
    const stat = await driver.stat(path);
    // It has more than is known where much was appended to.
    const mustAsk = stat && (tellsRevisions(driver, stat) || stat.sizeBytes !== known.length);
    if (mustAsk) return await revisionOf(driver, path, stat);
  } catch {
    // The content is there all the same.
  }
  return await revisionOfBytes(known);
}

/** Writes bytes and answers with the token of what the file holds then. */
export async function writeAndTell(
  driver: FilesystemDriver,
  path: VirtualPath,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<string> {
  const { mode = "overwrite" } = options;
  const kept = await keptBytes(driver, path, mode, await driver.stat(path));
  const said = await driver.write(path, bytes, mode, options);
  return await writtenRevision(driver, path, said, () =>
    kept ? concatBytes([kept, bytes]) : bytes,
  );
}
