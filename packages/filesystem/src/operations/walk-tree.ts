import { FileContent } from "../content/file-content.js";
import type { FilesystemDriver, WalkEntry, WalkOptions } from "../driver/driver.js";
import { inWalkOrder } from "../path/in-walk-order.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import { revisionOf } from "./revision.js";

/** Everything below `base`, parents before children. Uses the driver's `walk`, or else its `list`. */
export function walkTree(
  driver: FilesystemDriver,
  base: VirtualPath,
  enter: (path: VirtualPath) => boolean,
  options?: WalkOptions,
): Iterable<WalkEntry> | AsyncIterable<WalkEntry> {
  return driver.walk?.(base, enter, options) ?? walkByListing(driver, base, enter);
}

async function* walkByListing(
  driver: FilesystemDriver,
  base: VirtualPath,
  enter: (path: VirtualPath) => boolean,
): AsyncGenerator<WalkEntry, void, void> {
  for (const { name, kind } of inWalkOrder(await driver.list(base))) {
    const path = joinPath(base, name);
    yield { path, kind, load: (maxBytes) => loadFile(driver, path, maxBytes) };
    if (kind === "directory" && enter(path)) yield* walkByListing(driver, path, enter);
  }
}

/** The content of a file of at most `maxBytes`. Uses the driver's `load`, or else `stat` and `read`. */
export async function loadFile(
  driver: FilesystemDriver,
  path: VirtualPath,
  maxBytes: number,
): Promise<FileContent | undefined> {
  if (driver.load) return await driver.load(path, maxBytes);
  const stat = await driver.stat(path);
  if (stat?.kind !== "file" || stat.sizeBytes > maxBytes) return undefined;
  const bytes = await driver.read(path, 0, stat.sizeBytes);
  return FileContent.ofBytes(bytes, await revisionOf(driver, path, stat, bytes));
}
