import { copyBytes } from "../content/bytes.js";
import { FileContent } from "../content/file-content.js";
import type { DriverSnapshots, SnapshotLabel } from "../driver/driver-snapshots.js";
import { pathChanges } from "../patch/path-changes.js";
import { parentPath, type VirtualPath } from "../path/virtual-path.js";
import type { FilesystemSnapshot } from "../snapshots/filesystem-snapshot.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";
import { modeOf, type TreeEntry } from "../snapshots/tree-view.js";
import { memoryDriver } from "./memory-driver.js";
import { MemoryTree, type MemoryVersion } from "./memory-tree.js";
import { MemoryView } from "./memory-view.js";
import { nextRevision } from "./next-revision.js";

export interface MemorySnapshotsOptions {
  readonly clock: () => number;
  readonly rootPath: string;
}

/** An id is the store's id with its last digits replaced by a number. */
const ID_DIGITS = 12;

interface Kept {
  readonly snapshot: FilesystemSnapshot;
  readonly version: MemoryVersion;
}

/** Snapshots of a tree in memory. Each is a pointer to a version; a deleted one can be garbage collected. */
export function memorySnapshots(
  tree: MemoryTree,
  { clock, rootPath }: MemorySnapshotsOptions,
): DriverSnapshots {
  const storeId = crypto.randomUUID();
  /**
   * In the order of creation, which is the order of ids. Not a Map: deleted keys leave old tables that keep each
   * other alive.
   */
  const kept: Kept[] = [];
  let made = 0;
  /** The id before the number, zeros included. Cached, because it is the same for most ids. */
  let idStart = "";
  /** `toISOString` is the slowest step of a snapshot, so its result is cached per millisecond. */
  let lastMs = Number.NaN;
  let lastFormatted = "";

  return {
    create(label) {
      return keep(tree.keep(), label);
    },

    list() {
      return kept.map(({ snapshot }) => snapshot).reverse();
    },

    restore(snapshot) {
      tree.switchTo(versionOf(snapshot));
    },

    delete(snapshots) {
      for (const snapshot of snapshots) kept.splice(indexOf(snapshot), 1);
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
      return keep(await addEntries(built, entries, clock), label);
    },

    verify() {
      return { snapshotCount: kept.length, objectCount: kept.length, damaged: [] };
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

  function keep(version: MemoryVersion, { tag, name }: SnapshotLabel): FilesystemSnapshot {
    const number = (++made).toString(16);
    if (number.length + idStart.length !== storeId.length)
      idStart = storeId.slice(0, -ID_DIGITS) + "0".repeat(ID_DIGITS - number.length);
    const snapshot: { -readonly [Key in keyof FilesystemSnapshot]: FilesystemSnapshot[Key] } = {
      snapshotId: idStart + number,
      createdAt: formatTime(clock()),
      // The number first, because a short form is the start of it.
      commitRef: `${made}-${storeId}`,
      rootPath,
    };
    if (tag !== undefined) snapshot.tag = tag;
    if (name !== undefined) {
      snapshot.name = name;
      dropName(name);
    }
    kept.push({ snapshot: Object.freeze(snapshot), version });
    return snapshot;
  }

  function formatTime(ms: number): string {
    if (ms !== lastMs) lastFormatted = new Date(ms).toISOString();
    lastMs = ms;
    return lastFormatted;
  }

  /** A name belongs to the newest snapshot that has it. */
  function dropName(name: string): void {
    for (const [index, each] of kept.entries()) {
      if (each.snapshot.name !== name) continue;
      const { name: _, ...unnamed } = each.snapshot;
      kept[index] = { ...each, snapshot: Object.freeze(unnamed) };
    }
  }

  function versionOf(snapshot: FilesystemSnapshot): MemoryVersion {
    // `indexOf` returns an index within the array.
    return (kept[indexOf(snapshot)] as Kept).version;
  }

  function indexOf({ snapshotId, commitRef }: FilesystemSnapshot): number {
    let low = 0;
    let high = kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((kept[middle] as Kept).snapshot.snapshotId < snapshotId) low = middle + 1;
      else high = middle;
    }
    const found = kept[low]?.snapshot;
    if (found?.snapshotId === snapshotId && found.commitRef === commitRef) return low;
    throw new SnapshotError("UNKNOWN_SNAPSHOT");
  }
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
