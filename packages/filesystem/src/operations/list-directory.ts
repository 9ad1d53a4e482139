import type { DriverEntry } from "../driver/driver.js";
import { compareBytes } from "../path/byte-order.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import type { Cut, FileEntry, ListOptions } from "../protocol/filesystem.js";
import { isPromise } from "../protocol/maybe-promise.js";
import { cut } from "../search/walk/truncated-list.js";
import { requireDirectory } from "./find-node.js";
import { pageOf } from "./page.js";
import type { Target, Workspace } from "./workspace.js";

export async function listDirectory(
  workspace: Workspace,
  target: Target,
  options: ListOptions,
): Promise<Cut<FileEntry>> {
  const { driver, limits } = workspace;
  const { offset, limit } = pageOf(target, options, limits.maxListEntries, limits.maxListEntries);
  await requireDirectory(workspace, target);
  const listed = driver.list(target.path, options);
  const entries = describeEntries(isPromise(listed) ? await listed : listed, target.path);
  if (offset === 0 && entries.length <= limit) return entries;
  return cut(entries.slice(offset, offset + limit), offset + limit < entries.length);
}

interface Described {
  readonly path: VirtualPath;
  readonly entries: Cut<FileEntry>;
}

/** Caches the result for a driver that returns the same array for an unchanged directory. */
const described = new WeakMap<readonly DriverEntry[], Described>();

function describeEntries(listed: readonly DriverEntry[], path: VirtualPath): Cut<FileEntry> {
  const known = described.get(listed);
  if (known?.path === path) return known.entries;
  const sorted = inByteOrder(listed).map(({ name, kind }) =>
    Object.freeze({
      name,
      path: joinPath(path, name),
      kind,
      isFile: kind === "file",
      isDirectory: kind === "directory",
    }),
  );
  const entries = cut(sorted, false);
  described.set(listed, { path, entries });
  return entries;
}

function inByteOrder(listed: readonly DriverEntry[]): readonly DriverEntry[] {
  for (let index = 1; index < listed.length; index++) {
    // Both are within the array.
    if (
      compareBytes((listed[index - 1] as DriverEntry).name, (listed[index] as DriverEntry).name) > 0
    )
      return [...listed].sort((a, b) => compareBytes(a.name, b.name));
  }
  return listed;
}
