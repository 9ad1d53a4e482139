import { concatBytes, copyBytes, plainBytes } from "../content/bytes.js";
import { FileContent } from "../content/file-content.js";
import type { DriverWriteOptions, FilesystemDriver } from "../driver/driver.js";
import type { DriverAccelerators } from "../driver/driver-accelerators.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { WriteMode } from "../protocol/filesystem.js";
import type { MemoryTree } from "./memory-tree.js";
import { walkMemory } from "./memory-walk.js";
import { nextRevision } from "./next-revision.js";
import { existingFile, fileAt, putContent, putLink, treeDriver } from "./tree-driver.js";

export interface MemoryDriver extends FilesystemDriver {
  readonly accelerate: DriverAccelerators & Required<Pick<DriverAccelerators, "writeText">>;
}

/** A driver over a {@link MemoryTree}. It answers synchronously. */
export function memoryDriver(tree: MemoryTree, clock: () => number): MemoryDriver {
  const nodes = treeDriver(tree, clock);
  return {
    ...nodes,
    name: "memory",

    read(path, offset, length) {
      const node = tree.find(path);
      const bytes =
        node?.kind === "symlink" ? node.target : existingFile(tree, path).content.bytes();
      return copyBytes(bytes, offset, offset + length);
    },

    write,

    accelerate: {
      ...nodes.accelerate,

      writeText(path, text, sizeBytes, mode, options) {
        const kept = mode === "append" ? fileAt(tree, path)?.content : undefined;
        if (kept === undefined)
          return put(path, FileContent.ofText(text, sizeBytes, nextRevision()), mode, options);
        const before = kept.text();
        if (before === undefined) return write(path, new TextEncoder().encode(text), mode, options);
        const size = kept.sizeBytes + sizeBytes;
        return put(path, FileContent.ofText(before + text, size, nextRevision()), mode, options);
      },

      load(path, maxBytes) {
        const content = fileAt(tree, path)?.content;
        return content !== undefined && content.sizeBytes <= maxBytes ? content : undefined;
      },

      walk(base, enter, options) {
        // Makes later changes copy, so that the walk sees one version however long it takes.
        tree.disown();
        const node = tree.find(base);
        return node?.kind === "directory" ? walkMemory(node, base, enter, options) : [];
      },

      openRead(path) {
        const bytes = existingFile(tree, path).content.bytes();
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
    if (options.kind === "symlink")
      return putLink(tree, clock, path, copyBytes(bytes), mode, options);
    const kept = mode === "append" ? fileAt(tree, path)?.content.bytes() : undefined;
    const own = options.isOwned ? plainBytes(bytes) : copyBytes(bytes);
    const whole = kept === undefined ? own : concatBytes([kept, bytes]);
    return put(path, FileContent.ofBytes(whole, nextRevision()), mode, options);
  }

  function put(
    path: VirtualPath,
    content: FileContent,
    mode: WriteMode,
    options: DriverWriteOptions,
  ): string {
    return putContent(tree, clock, path, content, mode, options);
  }
}
