import { concatBytes, copyBytes, plainBytes } from "../content/bytes.js";
import { FileContent } from "../content/file-content.js";
import type {
  DriverEntry,
  DriverStat,
  DriverWriteOptions,
  FilesystemDriver,
} from "../driver/driver.js";
import type { DriverAccelerators } from "../driver/driver-accelerators.js";
import { permissionsAfter } from "../driver/permissions.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { WriteMode } from "../protocol/filesystem.js";
import { FilesystemError } from "../protocol/filesystem-error.js";
import type { MemoryFile, MemoryNode } from "./memory-node.js";
import type { MemoryTree } from "./memory-tree.js";
import { walkMemory } from "./memory-walk.js";
import { nextRevision } from "./next-revision.js";

export interface MemoryDriver extends FilesystemDriver {
  readonly accelerate: DriverAccelerators & Required<Pick<DriverAccelerators, "writeText">>;
}

/** A driver over a {@link MemoryTree}. It answers synchronously. */
export function memoryDriver(tree: MemoryTree, clock: () => number): MemoryDriver {
  return {
    name: "memory",
    stores: ["links", "modes", "times"],

    stat(path) {
      const node = tree.find(path);
      return node && describe(node);
    },

    list(path) {
      const node = tree.find(path);
      if (node?.kind !== "directory") return [];
      node.listing ??= listChildren(node.children);
      return node.listing;
    },

    read(path, offset, length) {
      const node = tree.find(path);
      const bytes = node?.kind === "symlink" ? node.target : file(path).content.bytes();
      return copyBytes(bytes, offset, offset + length);
    },

    write,

    mkdir(path, { permissions, modifiedAtMs }) {
      if (tree.find(path) === undefined) tree.addDirectory(path, clock());
      if (permissions !== undefined || modifiedAtMs !== undefined)
        tree.setDirectory(path, permissions, modifiedAtMs);
    },

    remove(path) {
      tree.remove(path, clock());
    },

    accelerate: {
      countsUsage: true,

      knows(path): path is VirtualPath {
        return tree.knows(path);
      },

      writeText(path, text, sizeBytes, mode, options) {
        const kept = mode === "append" ? existing(path)?.content : undefined;
        if (kept === undefined)
          return put(path, FileContent.ofText(text, sizeBytes, nextRevision()), mode, options);
        const before = kept.text();
        if (before === undefined) return write(path, new TextEncoder().encode(text), mode, options);
        const size = kept.sizeBytes + sizeBytes;
        return put(path, FileContent.ofText(before + text, size, nextRevision()), mode, options);
      },

      load(path, maxBytes) {
        const content = existing(path)?.content;
        return content !== undefined && content.sizeBytes <= maxBytes ? content : undefined;
      },

      revision(path) {
        return file(path).content.revision;
      },

      walk(base, enter, options) {
        // Makes later changes copy, so that the walk sees one version however long it takes.
        tree.disown();
        const node = tree.find(base);
        return node?.kind === "directory" ? walkMemory(node, base, enter, options) : [];
      },

      usage() {
        return tree.usage();
      },

      clone(from, to) {
        const node = tree.find(from);
        if (node !== undefined) tree.attach(to, node, clock());
      },

      rename(from, to) {
        const node = tree.find(from);
        if (node === undefined) return;
        tree.remove(from, clock());
        tree.attach(to, node, clock());
      },

      removeTree(path) {
        tree.remove(path, clock());
      },

      openRead(path) {
        const bytes = file(path).content.bytes();
        return {
          sizeBytes: bytes.length,
          read: (offset, length) => copyBytes(bytes, offset, offset + length),
          close() {},
        };
      },
    },
  };

  function write(
    path: VirtualPath,
    bytes: Uint8Array,
    mode: WriteMode,
    options: DriverWriteOptions,
  ): string {
    if (options.kind === "symlink") return putLink(path, bytes, mode, options);
    const kept = mode === "append" ? existing(path)?.content.bytes() : undefined;
    const own = options.isOwned ? plainBytes(bytes) : copyBytes(bytes);
    const whole = kept === undefined ? own : concatBytes([kept, bytes]);
    return put(path, FileContent.ofBytes(whole, nextRevision()), mode, options);
  }

  function existing(path: VirtualPath): MemoryFile | undefined {
    const node = tree.find(path);
    return node?.kind === "file" ? node : undefined;
  }

  function file(path: VirtualPath): MemoryFile {
    const node = existing(path);
    if (node === undefined) throw new FilesystemError("ENOENT", { operation: "read", path });
    return node;
  }

  function put(
    path: VirtualPath,
    content: FileContent,
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

  function putLink(
    path: VirtualPath,
    target: Uint8Array,
    mode: WriteMode,
    { modifiedAtMs = clock() }: DriverWriteOptions,
  ): string {
    if (mode === "create" && tree.find(path) !== undefined)
      throw new FilesystemError("EEXIST", { operation: "write", path });
    tree.addLink(path, copyBytes(target), modifiedAtMs);
    return "";
  }
}

function describe(node: MemoryNode): DriverStat {
  const { kind, createdAtMs, modifiedAtMs } = node;
  if (kind === "symlink")
    return { kind, sizeBytes: node.target.length, mode: 0o777, createdAtMs, modifiedAtMs };
  const { mode } = node;
  if (kind === "directory") return { kind, sizeBytes: 0, mode, createdAtMs, modifiedAtMs };
  const { sizeBytes, revision } = node.content;
  return { kind, sizeBytes, mode, createdAtMs, modifiedAtMs, revision };
}

function listChildren(children: {
  forEach(visit: (node: MemoryNode, name: string) => void): void;
}): readonly DriverEntry[] {
  const entries: DriverEntry[] = [];
  children.forEach(({ kind }, name) => {
    entries.push({ name, kind });
  });
  return entries;
}
