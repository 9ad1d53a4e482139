import { equalBytes } from "../content/file-content.js";
import type { DriverStat, FilesystemDriver } from "../driver/driver.js";
import type { DriverSnapshots } from "../driver/driver-snapshots.js";
import { removeTree } from "../operations/delete-path.js";
import { loadFile, walkTree } from "../operations/walk-tree.js";
import { pathChanges } from "../patch/path-changes.js";
import { ROOT, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions } from "../protocol/call-options.js";
import type { FilesystemSnapshot } from "../snapshots/filesystem-snapshot.js";
import type { TreeEntry } from "../snapshots/tree-view.js";
import { memoryDriver } from "./memory-driver.js";
import type { MemoryDirectory } from "./memory-node.js";
import { memorySnapshots } from "./memory-snapshots.js";
import { MemoryTree } from "./memory-tree.js";
import { MemoryView } from "./memory-view.js";

/**
 * Snapshots for a backend that has none. It mirrors the backend in a tree in memory and takes snapshots of that tree.
 *
 * Every capture reads every file. Captured content is held in memory once. Special files, and links if the
 * backend does not store them, are not captured and not touched.
 */
export function mirrorSnapshots(driver: FilesystemDriver, rootPath: string): DriverSnapshots {
  const clock = Date.now;
  const tree = new MemoryTree(clock());
  const mirror = memoryDriver(tree, clock);
  const snapshots = memorySnapshots(tree, { clock, rootPath });

  return {
    async create(label) {
      await capture(label);
      return await snapshots.create(label);
    },

    restore: (snapshot) => restore(snapshot),

    async view(snapshot, options) {
      if (snapshot === undefined) await capture(options);
      return await snapshots.view(snapshot);
    },

    async fork(options) {
      await capture(options);
      return await snapshots.fork();
    },

    async begin({ signal }) {
      await capture({ signal });
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
  async function capture({ signal }: CallOptions = {}): Promise<void> {
    const seen = new Set<VirtualPath>();
    const directories: [VirtualPath, DriverStat][] = [];
    for await (const { path, kind } of walkTree(driver, ROOT, () => true, { signal })) {
      if (kind === "special" || (kind === "symlink" && !stores("links"))) continue;
      const stat = await driver.stat(path, { signal });
      if (stat?.kind !== kind) continue;
      seen.add(path);
      const before = tree.find(path);
      if (before !== undefined && before.kind !== kind) tree.remove(path, clock());
      if (kind === "directory") {
        mirror.mkdir(path, {});
        directories.push([path, stat]);
      } else await captureContent(path, stat, { signal });
    }
    for (const { path } of [...new MemoryView(tree.keep()).entries()].reverse())
      if (!seen.has(path)) tree.remove(path, clock());
    for (const [path, stat] of directories) {
      const { mode, modifiedAtMs } = tree.find(path) as MemoryDirectory;
      const attributes = attributesOf(stat);
      const isSame =
        (attributes.permissions ?? mode) === mode &&
        (attributes.modifiedAtMs ?? modifiedAtMs) === modifiedAtMs;
      if (!isSame) mirror.mkdir(path, attributes);
    }
  }

  async function captureContent(
    path: VirtualPath,
    stat: DriverStat,
    options: CallOptions,
  ): Promise<void> {
    const attributes = attributesOf(stat);
    if (stat.kind === "symlink") {
      const target = await driver.read(path, 0, stat.sizeBytes, options);
      const before = tree.find(path);
      const isSame =
        before?.kind === "symlink" &&
        equalBytes(before.target, target) &&
        (attributes.modifiedAtMs ?? before.modifiedAtMs) === before.modifiedAtMs;
      if (!isSame) mirror.write(path, target, "overwrite", { ...attributes, kind: "symlink" });
      return;
    }
    const content = await loadFile(driver, path, Number.MAX_SAFE_INTEGER, options);
    if (content === undefined) return;
    const executable = ((stat.mode ?? 0) & 0o100) !== 0;
    mirror.write(path, content.bytes(), "overwrite", { ...attributes, executable });
  }

  function stores(what: "links" | "modes" | "times"): boolean {
    return driver.stores?.includes(what) ?? false;
  }

  function attributesOf({ mode, modifiedAtMs }: Pick<TreeEntry, "mode" | "modifiedAtMs">) {
    return {
      permissions: stores("modes") ? mode : undefined,
      modifiedAtMs: stores("times") ? modifiedAtMs : undefined,
    };
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
      // A link is replaced by removing it.
      if (kindsBack.get(path) === kind && kind !== "symlink") continue;
      await (kind === "directory" ? removeTree(driver, path) : driver.remove(path, {}));
    }
    for (const entry of back) await bringBack(entry);
    if (!stores("modes") && !stores("times")) return;
    // Last, because adding a node changes the time of its directory.
    for (const entry of [...back].reverse())
      if (entry.kind === "directory") await driver.mkdir(entry.path, attributesOf(entry));
  }

  async function bringBack(entry: TreeEntry): Promise<void> {
    const { path, kind, executable } = entry;
    if (kind === "directory") await driver.mkdir(path, {});
    else if (kind === "file")
      await driver.write(path, await entry.read(), "overwrite", {
        ...attributesOf(entry),
        executable,
      });
    else if (stores("links"))
      await driver.write(path, await entry.read(), "create", { ...attributesOf(entry), kind });
  }
}
