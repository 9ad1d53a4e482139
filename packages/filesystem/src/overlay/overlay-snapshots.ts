import type { DriverSnapshots, SnapshottingDriver } from "../driver/driver-snapshots.js";
import { KeptVersions } from "../memory/kept-versions.js";
import { pathChanges } from "../patch/path-changes.js";
import { parentPath, type VirtualPath } from "../path/virtual-path.js";
import { modeOf, type TreeEntry } from "../snapshots/tree-view.js";
import { emptyDirectory, type OverlayNode } from "./overlay-node.js";
import { OverlayTree } from "./overlay-tree.js";
import { OverlayView } from "./overlay-view.js";

export interface OverlaySnapshotsOptions {
  readonly rootPath: string;
  readonly clock: () => number;
  /** Makes the driver of a fork. */
  readonly driverOf: (tree: OverlayTree) => SnapshottingDriver;
}

/** Snapshots of an overlay. Each is a pointer to a version; nothing of the base is copied. */
export function overlaySnapshots(
  tree: OverlayTree,
  { rootPath, clock, driverOf }: OverlaySnapshotsOptions,
): DriverSnapshots {
  const kept = new KeptVersions<OverlayNode>({ clock, rootPath });
  const viewOf = (root: OverlayNode) => new OverlayView(tree, root);

  return {
    create: (label) => kept.keep(tree.root, label),
    list: () => kept.list(),
    restore(snapshot) {
      tree.root = kept.versionOf(snapshot);
    },
    delete: (snapshots) => kept.delete(snapshots),
    heldBytes: (snapshots) => ownBytes(snapshots.map((each) => kept.versionOf(each))),
    view: (snapshot) => viewOf(snapshot ? kept.versionOf(snapshot) : tree.root),
    async add(entries, label, edited) {
      const root = edited ? kept.versionOf(edited.onto) : emptyDirectory(clock());
      const built = new OverlayTree(tree.base, clock, root);
      for (const path of edited?.removed ?? []) await removeWithParents(built, path);
      await addEntries(built, entries);
      return kept.keep(built.root, label);
    },
    verify: () => ({ snapshotCount: kept.size, objectCount: kept.size, damaged: [] }),
    fork: () => driverOf(new OverlayTree(tree.base, clock, tree.root)),
    begin() {
      const before = tree.root;
      return {
        changes: () => pathChanges(viewOf(before), viewOf(tree.root)),
        commit: () => {},
        rollback() {
          tree.root = before;
        },
      };
    },
  };
}

/** The bytes of the files that were written in the overlay; those of the base take no memory. */
function ownBytes(roots: readonly OverlayNode[]): number {
  const seen = new Set<OverlayNode>();
  let sum = 0;
  const visit = (node: OverlayNode) => {
    if (node.source === "base" || seen.has(node)) return;
    seen.add(node);
    if (node.kind === "directory") node.children.forEach(visit);
    else sum += node.bytes.length;
  };
  roots.forEach(visit);
  return sum;
}

/** Removes a node and every directory that becomes empty. */
async function removeWithParents(tree: OverlayTree, path: VirtualPath): Promise<void> {
  if ((await tree.find(path, {})) === undefined) return;
  await tree.put(path, undefined, {});
  for (let at = parentPath(path); at !== ""; at = parentPath(at)) {
    const node = await tree.find(at, {});
    if (node?.kind !== "directory" || (await tree.childrenOf(node, {})).size > 0) return;
    await tree.put(at, undefined, {});
  }
}

async function addEntries(
  tree: OverlayTree,
  entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
): Promise<void> {
  const directories: TreeEntry[] = [];
  for await (const entry of entries) {
    const { path, kind, modifiedAtMs } = entry;
    const existing = await tree.find(path, {});
    if (existing !== undefined && existing.kind !== kind) await tree.put(path, undefined, {});
    await addDirectories(tree, kind === "directory" ? path : parentPath(path));
    if (kind === "directory") directories.push(entry);
    else
      await tree.write(path, await entry.read(), "overwrite", {
        ...{ kind, modifiedAtMs },
        permissions: kind === "file" ? modeOf(entry) : undefined,
      });
  }
  // Last, because adding a node changes the time of its directory.
  for (const { path, mode, modifiedAtMs } of directories)
    await tree.makeDirectory(path, { permissions: mode, modifiedAtMs });
}

async function addDirectories(tree: OverlayTree, path: VirtualPath): Promise<void> {
  if (path === "") return;
  const existing = await tree.find(path, {});
  if (existing?.kind === "directory") return;
  await addDirectories(tree, parentPath(path));
  if (existing !== undefined) await tree.put(path, undefined, {});
  await tree.makeDirectory(path, {});
}
