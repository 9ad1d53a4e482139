import { TimeSlices } from "../content/time-slices.js";
import type { DriverEntry } from "../driver/driver.js";
import { compareBytes } from "../path/byte-order.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import type { Cut, FileEntry, ListOptions } from "../protocol/filesystem.js";
import { isPromise } from "../protocol/maybe-promise.js";
import { cut } from "../search/walk/truncated-list.js";
import { isoTime, modeOf } from "./describe-node.js";
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
  const listing = driver.list(target.path, options);
  const listed = isPromise(listing) ? await listing : listing;
  const all = describeEntries(listed, target.path);
  const entries =
    offset === 0 && all.length <= limit
      ? all
      : cut(all.slice(offset, offset + limit), offset + limit < all.length);
  return options.details ? await addDetails(workspace, target, listed, entries) : entries;
}

/** How many nodes of an asynchronous backend are described at the same time. */
const MAX_CONCURRENT = 16;

/** Takes the details from the listing if the driver put them there, and else from `stat`. */
async function addDetails(
  { driver }: Workspace,
  { path, options }: Target,
  listed: readonly DriverEntry[],
  entries: Cut<FileEntry>,
): Promise<Cut<FileEntry>> {
  const known = new Map(listed.map((entry) => [entry.name, entry]));
  const slices = new TimeSlices(options.signal);
  const detailed: FileEntry[] = [];
  const describe = async (entry: FileEntry): Promise<FileEntry> => {
    const given = known.get(entry.name);
    const stat: Partial<DriverEntry> | undefined =
      given?.sizeBytes === undefined
        ? await driver.stat(joinPath(path, entry.name), options)
        : given;
    const { kind } = entry;
    const hasSize = kind === "file" || kind === "symlink";
    return Object.freeze({
      ...entry,
      sizeBytes: hasSize ? (stat?.sizeBytes ?? 0) : 0,
      mode: modeOf({ kind, mode: stat?.mode }),
      modifiedAt: isoTime(stat?.modifiedAtMs),
    });
  };
  for (let start = 0; start < entries.length; start += MAX_CONCURRENT) {
    detailed.push(
      ...(await Promise.all(entries.slice(start, start + MAX_CONCURRENT).map(describe))),
    );
    if (slices.spend(MAX_CONCURRENT)) await slices.pause();
  }
  return cut(detailed, entries.truncated);
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
