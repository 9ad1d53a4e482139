import type { DriverEntry, DriverStat, DriverWriteOptions } from "../driver/driver.js";
import type { DriverAccelerators } from "../driver/driver-accelerators.js";
import { permissionsAfter } from "../driver/permissions.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { WriteMode } from "../protocol/filesystem.js";
import { FilesystemError } from "../protocol/filesystem-error.js";
import type { MemoryFile, MemoryNode, NodeContent } from "./memory-node.js";
import type { MemoryTree } from "./memory-tree.js";

/** The calls of a driver that need no contents, over a tree in memory. They answer synchronously. */
export function treeDriver<Content extends NodeContent>(
  tree: MemoryTree<Content>,
  clock: () => number,
) {
  return {
    stores: ["links", "modes", "times"] as const,

    stat(path: VirtualPath): DriverStat | undefined {
      const node = tree.find(path);
      return node && describe(node);
    },

    list(path: VirtualPath): readonly DriverEntry[] {
      const node = tree.find(path);
      if (node?.kind !== "directory") return [];
      node.listing ??= listChildren(node.children);
      return node.listing;
    },

    mkdir(
      path: VirtualPath,
      { permissions, modifiedAtMs }: Pick<DriverWriteOptions, "permissions" | "modifiedAtMs">,
    ): void {
      if (tree.find(path) === undefined) tree.addDirectory(path, clock());
      if (permissions !== undefined || modifiedAtMs !== undefined)
        tree.setDirectory(path, permissions, modifiedAtMs);
    },

    remove(path: VirtualPath): void {
      tree.remove(path, clock());
    },

    accelerate: {
      countsUsage: true,
      revision: (path: VirtualPath) => existingFile(tree, path).content.revision,
      usage: () => tree.usage(),

      clone(from: VirtualPath, to: VirtualPath) {
        const node = tree.find(from);
        if (node !== undefined) tree.attach(to, node, clock());
      },

      rename(from: VirtualPath, to: VirtualPath) {
        const node = tree.find(from);
        if (node === undefined) return;
        tree.remove(from, clock());
        tree.attach(to, node, clock());
      },

      removeTree(path: VirtualPath) {
        tree.remove(path, clock());
      },
    } satisfies DriverAccelerators,
  };
}

export function fileAt<Content extends NodeContent>(
  tree: MemoryTree<Content>,
  path: VirtualPath,
): MemoryFile<Content> | undefined {
  const node = tree.find(path);
  return node?.kind === "file" ? node : undefined;
}

export function existingFile<Content extends NodeContent>(
  tree: MemoryTree<Content>,
  path: VirtualPath,
): MemoryFile<Content> {
  const node = fileAt(tree, path);
  if (node === undefined) throw new FilesystemError("ENOENT", { operation: "read", path });
  return node;
}

/** Writes a file and returns its revision. */
export function putContent<Content extends NodeContent>(
  tree: MemoryTree<Content>,
  clock: () => number,
  path: VirtualPath,
  content: Content,
  mode: WriteMode,
  options: DriverWriteOptions,
): string {
  const node = tree.find(path);
  if (mode === "create" && node !== undefined)
    throw new FilesystemError("EEXIST", { operation: "write", path });
  const before = node?.kind === "file" ? node : undefined;
  const permissions = permissionsAfter(before?.mode, options);
  // Writing the same content again is not a change: the revision and the time stay.
  const kept = before?.content.equals(content) ? before.content : content;
  const isKept = kept === before?.content;
  const modifiedAtMs = options.modifiedAtMs ?? (isKept && before ? before.modifiedAtMs : clock());
  if (isKept && before?.mode === permissions && before.modifiedAtMs === modifiedAtMs)
    return kept.revision;
  tree.putFile(path, kept, permissions, modifiedAtMs);
  return kept.revision;
}

/** Writes a link. The tree stores the bytes without copying them, so the caller must not change them later. */
export function putLink<Content extends NodeContent>(
  tree: MemoryTree<Content>,
  clock: () => number,
  path: VirtualPath,
  target: Uint8Array,
  mode: WriteMode,
  { modifiedAtMs = clock() }: DriverWriteOptions,
): string {
  if (mode === "create" && tree.find(path) !== undefined)
    throw new FilesystemError("EEXIST", { operation: "write", path });
  tree.addLink(path, target, modifiedAtMs);
  return "";
}

function describe<Content extends NodeContent>(node: MemoryNode<Content>): DriverStat {
  const { kind, createdAtMs, modifiedAtMs } = node;
  if (kind === "symlink")
    return { kind, sizeBytes: node.target.length, mode: 0o777, createdAtMs, modifiedAtMs };
  const { mode } = node;
  if (kind === "directory") return { kind, sizeBytes: 0, mode, createdAtMs, modifiedAtMs };
  const { sizeBytes, revision } = node.content;
  return { kind, sizeBytes, mode, createdAtMs, modifiedAtMs, revision };
}

function listChildren<Content extends NodeContent>(children: {
  forEach(visit: (node: MemoryNode<Content>, name: string) => void): void;
}): readonly DriverEntry[] {
  const entries: DriverEntry[] = [];
  children.forEach(({ kind }, name) => {
    entries.push({ name, kind });
  });
  return entries;
}
