import { FileContent } from "../content/file-content.js";
import type { FilesystemDriver } from "../driver/driver.js";
import type { WalkEntry, WalkOptions } from "../driver/driver-accelerators.js";
import { inWalkOrder } from "../path/in-walk-order.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions } from "../protocol/filesystem.js";
import { revisionOf } from "./revision.js";

/** Everything below `base`, parents before children. Uses the driver's `walk`, or else its `list`. */
export function walkTree(
  driver: FilesystemDriver,
  base: VirtualPath,
  enter: (path: VirtualPath) => boolean,
  options: WalkOptions = {},
): Iterable<WalkEntry> | AsyncIterable<WalkEntry> {
  return (
    driver.accelerate?.walk?.(base, enter, options) ?? walkByListing(driver, base, enter, options)
  );
}

async function* walkByListing(
  driver: FilesystemDriver,
  base: VirtualPath,
  enter: (path: VirtualPath) => boolean,
  options: CallOptions,
): AsyncGenerator<WalkEntry, void, void> {
  for (const { name, kind } of inWalkOrder(await driver.list(base, options))) {
    const path = joinPath(base, name);
    yield { path, kind, load: (maxBytes) => loadFile(driver, path, maxBytes, options) };
    if (kind === "directory" && enter(path)) yield* walkByListing(driver, path, enter, options);
  }
}

/** The content of a file of at most `maxBytes`. Uses the driver's `load`, or else `stat` and `read`. */
export async function loadFile(
  driver: FilesystemDriver,
  path: VirtualPath,
  maxBytes: number,
  options: CallOptions = {},
): Promise<FileContent | undefined> {
  const { accelerate } = driver;
  if (accelerate?.load) return await accelerate.load(path, maxBytes, options);
  const stat = await driver.stat(path, options);
  if (stat?.kind !== "file" || stat.sizeBytes > maxBytes) return undefined;
  const bytes = await driver.read(path, 0, stat.sizeBytes, options);
  return FileContent.ofBytes(bytes, await revisionOf(driver, path, stat, options, bytes));
}
