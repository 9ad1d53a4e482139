import type { FilesystemDriver } from "../driver/driver.js";
import type { DriverSnapshots } from "../driver/driver-snapshots.js";
import { removeTree } from "../operations/delete-path.js";
import { loadFile, walkTree } from "../operations/walk-tree.js";
import { pathChanges } from "../patch/path-changes.js";
import { ROOT, type VirtualPath } from "../path/virtual-path.js";
import type { FilesystemSnapshot } from "../snapshots/filesystem-snapshot.js";
import type { TreeEntry } from "../snapshots/tree-view.js";
import { memoryDriver } from "./memory-driver.js";
import { memorySnapshots } from "./memory-snapshots.js";
import { MemoryTree } from "./memory-tree.js";
import { MemoryView } from "./memory-view.js";

/**
 * Snapshots for a backend that has none. It mirrors the backend in a tree in memory and takes snapshots of that tree.
 *
 * Every capture reads every file. Captured content is held in memory once. Links and special files are not captured
 * and not touched.
 */
export function mirrorSnapshots(driver: FilesystemDriver, rootPath: string): DriverSnapshots {
  const clock = Date.now;
  const tree = new MemoryTree(clock());
  const mirror = memoryDriver(tree, clock);
  const snapshots = memorySnapshots(tree, { clock, rootPath });

  return {
    async create(label) {
      await capture();
      return await snapshots.create(label);
    },

    restore: (snapshot) => restore(snapshot),

    async view(snapshot) {
      if (snapshot === undefined) await capture();
      return await snapshots.view(snapshot);
    },

    async fork() {
      await capture();
      return await snapshots.fork();
    },

    async begin() {
      await capture();
      const before = await snapshots.create({});
      const end = () => snapshots.delete([before]);
      return {
        async changes() {
          await capture();
          return await pathChanges(await snapshots.view(before), await snapshots.view(undefined));
        },
        commit: end,
        async rollback() {
          await restore(before);
          await end();
        },
      };
    },

    list: () => snapshots.list(),
    delete: (some) => snapshots.delete(some),
    heldBytes: (some) => snapshots.heldBytes(some),
    add: (entries, label, edited) => snapshots.add(entries, label, edited),
    verify: () => snapshots.verify(),
  };

  /** Makes the mirror equal to the backend. Equal files keep their node and so share memory between snapshots. */
  async function capture(): Promise<void> {
    const seen = new Set<VirtualPath>();
    for await (const { path, kind } of walkTree(driver, ROOT, () => true)) {
      if (kind !== "file" && kind !== "directory") continue;
      seen.add(path);
      const before = tree.find(path);
      if (before !== undefined && before.kind !== kind) tree.remove(path, clock());
      if (kind === "directory") mirror.mkdir(path, {});
      else await captureFile(path);
    }
    for (const { path } of [...new MemoryView(tree.keep()).entries()].reverse())
      if (!seen.has(path)) tree.remove(path, clock());
  }

  async function captureFile(path: VirtualPath): Promise<void> {
    const content = await loadFile(driver, path, Number.MAX_SAFE_INTEGER);
    const stat = await driver.stat(path, {});
    if (content === undefined || stat === undefined) return;
    const executable = ((stat.mode ?? 0) & 0o100) !== 0;
    mirror.write(path, content.bytes(), "overwrite", { executable });
  }

  async function restore(snapshot: FilesystemSnapshot): Promise<void> {
    const target = await snapshots.view(snapshot);
    await capture();
    const current = await snapshots.view(undefined);
    const unlike = current.entriesUnlike?.(target);
    const gone: TreeEntry[] = [];
    for await (const entry of unlike?.mine ?? current.entries()) gone.push(entry);
    const back: TreeEntry[] = [];
    for await (const entry of unlike?.theirs ?? target.entries()) back.push(entry);
    await applyDifference(gone, back);
    await snapshots.restore(snapshot);
  }

  /** Removes first, so that a full backend has room for the restored files. */
  async function applyDifference(
    gone: readonly TreeEntry[],
    back: readonly TreeEntry[],
  ): Promise<void> {
    const kindsBack = new Map(back.map(({ path, kind }) => [path, kind]));
    for (const { path, kind } of [...gone].reverse()) {
      if (kindsBack.get(path) === kind) continue;
      await (kind === "directory" ? removeTree(driver, path) : driver.remove(path, {}));
    }
    for (const entry of back) {
      if (entry.kind === "directory") await driver.mkdir(entry.path, {});
      else
        await driver.write(entry.path, await entry.read(), "overwrite", {
          executable: entry.executable,
        });
    }
  }
}
