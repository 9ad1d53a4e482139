import type { FilesystemDriver } from "../driver/driver.js";
import { isWithin, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions } from "../protocol/filesystem.js";
import { FilesystemError } from "../protocol/filesystem-error.js";
import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import type { Operation } from "./call-options.js";
import { loadFile, walkTree } from "./walk-tree.js";
import { failure, targetOf, type Workspace } from "./workspace.js";

/** Normalises paths and drops those that are below another one. */
export function topPaths(
  workspace: Workspace,
  operation: Operation,
  given: readonly string[],
): readonly VirtualPath[] {
  if (!Array.isArray(given) || given.some((path) => typeof path !== "string"))
    throw failure({ operation, given: "." }, "EINVAL", "paths must be an array of strings");
  const paths = [
    ...new Set(given.map((path) => targetOf(workspace, operation, path, {}).path)),
  ].sort();
  const top: VirtualPath[] = [];
  // A parent sorts before everything below it.
  for (const path of paths) if (!top.some((each) => isWithin(path, each))) top.push(path);
  return top;
}

/** The part of a view at these paths and below them. */
export function partOf(view: TreeView, paths: readonly VirtualPath[]): TreeView {
  if (view.entriesAt !== undefined && !paths.includes("" as VirtualPath)) {
    const entriesAt = view.entriesAt.bind(view);
    return { entries: () => entriesAt(paths) };
  }
  return { entries: () => filtered(view, paths) };
}

async function* filtered(view: TreeView, paths: readonly VirtualPath[]): AsyncIterable<TreeEntry> {
  for await (const entry of view.entries())
    if (paths.some((path) => isWithin(entry.path, path))) yield entry;
}

/** The current nodes at these paths. `undefined` if one is a special file. Contents are read on demand. */
export async function currentEntries(
  driver: FilesystemDriver,
  paths: readonly VirtualPath[],
  options: CallOptions,
): Promise<TreeView | undefined> {
  const found: TreeEntry[] = [];
  for (const path of paths) {
    const stat = path === "" ? { kind: "directory" } : await driver.stat(path, options);
    if (stat === undefined) continue;
    if (path !== "" && !(await addEntry(found, driver, path, options))) return undefined;
    if (stat.kind !== "directory") continue;
    for await (const entry of walkTree(driver, path, () => true, options))
      if (!(await addEntry(found, driver, entry.path, options))) return undefined;
  }
  return { entries: () => found };
}

async function addEntry(
  found: TreeEntry[],
  driver: FilesystemDriver,
  path: VirtualPath,
  options: CallOptions,
): Promise<boolean> {
  const stat = await driver.stat(path, options);
  if (stat === undefined) return true;
  const { kind, sizeBytes, mode, modifiedAtMs } = stat;
  if (kind === "special" || (kind === "symlink" && !driver.stores?.includes("links"))) return false;
  found.push({
    path,
    kind,
    executable: kind === "file" && ((mode ?? 0) & 0o100) !== 0,
    mode: driver.stores?.includes("modes") ? mode : undefined,
    modifiedAtMs,
    sizeBytes: kind === "directory" ? 0 : sizeBytes,
    contentId: "",
    read: async () =>
      kind === "symlink"
        ? await driver.read(path, 0, sizeBytes, {})
        : ((await loadFile(driver, path, Number.MAX_SAFE_INTEGER))?.bytes() ?? NOTHING),
    ...(kind === "file" && { parts: () => partsOf(driver, path, sizeBytes) }),
  });
  return true;
}

const PART_BYTES = 1024 * 1024;

async function* partsOf(
  driver: FilesystemDriver,
  path: VirtualPath,
  sizeBytes: number,
): AsyncGenerator<Uint8Array, void, void> {
  for (let offset = 0; offset < sizeBytes; offset += PART_BYTES) {
    const length = Math.min(PART_BYTES, sizeBytes - offset);
    const part = await driver.read(path, offset, length, {});
    if (part.length < length) throw new FilesystemError("ESTALE", { operation: "read", path });
    yield part;
  }
}

const NOTHING = new Uint8Array();
