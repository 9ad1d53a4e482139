import { copyBytes, plainBytes } from "../content/bytes.js";
import { equalBytes } from "../content/file-content.js";
import type { DriverStat } from "../driver/driver.js";
import type { DriverReader } from "../driver/driver-accelerators.js";
import { PIECE_BYTES, revisionOf, sha256 } from "./revision.js";
import { loadFile } from "./walk-tree.js";
import { failure, type Target, type Workspace } from "./workspace.js";

/**
 * A reader for a driver that has none. A small file is loaded completely. A large file is read in pieces and fails with
 * `ESTALE` if it changes while it is read.
 */
export async function pinContent(workspace: Workspace, target: Target): Promise<DriverReader> {
  const { driver, limits } = workspace;
  const content = await loadFile(driver, target.path, limits.maxReadBytes, target.options);
  if (content !== undefined) return readerOf(content.bytes());
  const stat = await driver.stat(target.path, target.options);
  if (stat === undefined) throw failure(target, "ENOENT");
  const knowsRevision = stat.revision !== undefined || driver.accelerate?.revision !== undefined;
  return knowsRevision
    ? await pinByRevision(workspace, target, stat)
    : await pinByPieces(workspace, target, stat);
}

function readerOf(bytes: Uint8Array): DriverReader {
  return {
    sizeBytes: bytes.length,
    read: (offset, length) => copyBytes(bytes, offset, offset + length),
    close() {},
  };
}

/** Checks after each read that the revision is unchanged. */
async function pinByRevision(
  { driver }: Workspace,
  target: Target,
  stat: DriverStat,
): Promise<DriverReader> {
  const revision = await revisionOf(driver, target.path, stat, target.options);
  return {
    sizeBytes: stat.sizeBytes,
    async read(offset, length) {
      const chunk = plainBytes(await driver.read(target.path, offset, length, target.options));
      const now = await driver.stat(target.path, target.options);
      const same =
        now !== undefined &&
        (await revisionOf(driver, target.path, now, target.options)) === revision;
      if (!same) throw failure(target, "ESTALE");
      return chunk;
    },
    close() {},
  };
}

/** Hashes each piece when the file is opened, and again when the piece is read. */
async function pinByPieces(
  { driver }: Workspace,
  target: Target,
  { sizeBytes }: DriverStat,
): Promise<DriverReader> {
  const load = (index: number) =>
    driver.read(target.path, index * PIECE_BYTES, PIECE_BYTES, target.options);
  const hashes: Uint8Array[] = [];
  for (let index = 0; index * PIECE_BYTES < sizeBytes; index++)
    hashes.push(await sha256(await load(index)));
  // Reads are smaller than pieces and mostly sequential, so the last piece is cached.
  let last: { readonly index: number; readonly bytes: Uint8Array } | undefined;

  async function piece(index: number): Promise<Uint8Array> {
    if (last?.index === index) return last.bytes;
    const bytes = await load(index);
    const expected = hashes[index];
    if (expected === undefined || !equalBytes(await sha256(bytes), expected))
      throw failure(target, "ESTALE");
    last = { index, bytes };
    return bytes;
  }

  return {
    sizeBytes,
    async read(offset, length) {
      const wanted = new Uint8Array(Math.max(0, Math.min(length, sizeBytes - offset)));
      for (let filled = 0; filled < wanted.length; ) {
        const at = offset + filled;
        const bytes = await piece(Math.floor(at / PIECE_BYTES));
        const start = at % PIECE_BYTES;
        const part = bytes.subarray(start, start + wanted.length - filled);
        // The backend returned fewer bytes than the size it reported.
        if (part.length === 0) throw failure(target, "ESTALE");
        wanted.set(part, filled);
        filled += part.length;
      }
      return wanted;
    },
    close() {},
  };
}
