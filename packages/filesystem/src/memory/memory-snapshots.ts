import { copyBytes } from "../content/bytes.js";
import { FileContent } from "../content/file-content.js";
import type { DriverSnapshots } from "../driver/driver-snapshots.js";
import { pathChanges } from "../patch/path-changes.js";
import { parentPath, type VirtualPath } from "../path/virtual-path.js";
import type { FilesystemSnapshot } from "../snapshots/filesystem-snapshot.js";
import { modeOf, type TreeEntry } from "../snapshots/tree-view.js";
import { KeptVersions, type KeptVersionsOptions } from "./kept-versions.js";
import { memoryDriver } from "./memory-driver.js";
import { MemoryTree, type MemoryVersion } from "./memory-tree.js";
import { MemoryView } from "./memory-view.js";
import { nextRevision } from "./next-revision.js";

/** Snapshots of a tree in memory. Each is a pointer to a version; a deleted one can be garbage collected. */
export function memorySnapshots(
  tree: MemoryTree,
  { clock, rootPath }: KeptVersionsOptions,
): DriverSnapshots {
  const kept = new KeptVersions<MemoryVersion>({ clock, rootPath });
  const versionOf = (snapshot: FilesystemSnapshot) => kept.versionOf(snapshot);

  return {
    create(label) {
      return kept.keep(tree.keep(), label);
    },

    list() {
      return kept.list();
    },

    restore(snapshot) {
      tree.switchTo(versionOf(snapshot));
    },

    delete(snapshots) {
      kept.delete(snapshots);
      tree.forget();
    },

    heldBytes(snapshots) {
      const contents = new Map<string, number>();
      for (const snapshot of snapshots)
        for (const entry of new MemoryView(versionOf(snapshot)).entries())
          if (entry.kind === "file") contents.set(entry.contentId, entry.sizeBytes);
      return [...contents.values()].reduce((sum, sizeBytes) => sum + sizeBytes, 0);
    },

    view(snapshot) {
      return new MemoryView(snapshot ? versionOf(snapshot) : tree.keep());
    },

    async add(entries, label, edited) {
      const built = new MemoryTree(clock());
      if (edited !== undefined) {
        built.switchTo(versionOf(edited.onto));
        for (const path of edited.removed) removeWithParents(built, path, clock());
      }
      return kept.keep(await addEntries(built, entries, clock), label);
    },

    verify() {
      return { snapshotCount: kept.size, objectCount: kept.size, damaged: [] };
    },

    fork() {
      const copy = new MemoryTree(clock());
      copy.switchTo(tree.keep());
      return {
        ...memoryDriver(copy, clock),
        snapshots: memorySnapshots(copy, { clock, rootPath }),
      };
    },

    begin() {
      const version = tree.keep();
      return {
        changes: () => pathChanges(new MemoryView(version), new MemoryView(tree.keep())),
        commit: () => tree.forget(),
        rollback: () => tree.switchTo(version),
      };
    },
  };
}

/** Removes a node and every directory that becomes empty. */
function removeWithParents(tree: MemoryTree, path: VirtualPath, now: number): void {
  if (tree.find(path) === undefined) return;
  tree.remove(path, now);
  for (let at = parentPath(path); at !== ""; at = parentPath(at)) {
    const node = tree.find(at);
    if (node?.kind !== "directory" || node.children.size > 0) return;
    tree.remove(at, now);
  }
}

function addDirectories(tree: MemoryTree, path: VirtualPath, now: number): void {
  const kind = tree.find(path)?.kind;
  if (kind === "directory") return;
  addDirectories(tree, parentPath(path), now);
  if (kind !== undefined) tree.remove(path, now);
  tree.addDirectory(path, now);
}

async function addEntries(
  tree: MemoryTree,
  entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
  clock: () => number,
): Promise<MemoryVersion> {
  const directories: TreeEntry[] = [];
  for await (const entry of entries) {
    const { path, kind, modifiedAtMs } = entry;
    const existing = tree.find(path);
    if (existing !== undefined && existing.kind !== kind) tree.remove(path, clock());
    if (kind === "directory") {
      addDirectories(tree, path, clock());
      directories.push(entry);
      continue;
    }
    addDirectories(tree, parentPath(path), clock());
    const bytes = copyBytes(await entry.read());
    const time = modifiedAtMs ?? clock();
    if (kind === "symlink") tree.addLink(path, bytes, time);
    else tree.putFile(path, FileContent.ofBytes(bytes, nextRevision()), modeOf(entry), time);
  }
  // Last, because adding a node changes the time of its directory.
  for (const { path, mode, modifiedAtMs } of directories) {
    if (mode === undefined && modifiedAtMs === undefined) continue;
    tree.setDirectory(path, mode, modifiedAtMs);
  }
  return tree.keep();
}
