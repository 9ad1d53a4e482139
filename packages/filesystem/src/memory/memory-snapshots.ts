import { FileContent } from "../content/file-content.js";
import type { DriverSnapshots } from "../driver/driver-snapshots.js";
import { pathChanges } from "../patch/path-changes.js";
import type { FilesystemSnapshot } from "../snapshots/filesystem-snapshot.js";
import { KeptVersions, type KeptVersionsOptions } from "./kept-versions.js";
import { memoryDriver } from "./memory-driver.js";
import { MemoryTree, type MemoryVersion } from "./memory-tree.js";
import { MemoryView } from "./memory-view.js";
import { nextRevision } from "./next-revision.js";
import { addEntries, removeWithParents } from "./tree-edits.js";

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
      return kept.keep(await addEntries(built, entries, clock, contentOf), label);
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
        commit() {},
        rollback: () => tree.switchTo(version),
      };
    },
  };
}

function contentOf(bytes: Uint8Array): FileContent {
  return FileContent.ofBytes(bytes, nextRevision());
}
