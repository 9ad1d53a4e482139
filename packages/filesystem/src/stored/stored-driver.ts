import { contentIdOf } from "@wink/store";
import { concatBytes, copyBytes, plainBytes } from "../content/bytes.js";
import type { DriverWriteOptions, FilesystemDriver } from "../driver/driver.js";
import type { MemoryTree } from "../memory/memory-tree.js";
import { existingFile, fileAt, putContent, putLink, treeDriver } from "../memory/tree-driver.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { WriteMode } from "../protocol/filesystem.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";
import type { ContentCache } from "./content-cache.js";
import { StoredContent } from "./stored-content.js";
import { type PlaceStream, StoredWriter } from "./stored-writer.js";
import { walkStored } from "./walk-stored.js";

export interface StoredDriverParts {
  readonly tree: MemoryTree<StoredContent>;
  readonly cache: ContentCache;
  readonly clock: () => number;
  /** Stores a large content while it arrives. @default it is collected in memory */
  readonly placeStream?: PlaceStream | undefined;
}

/** A driver over a tree whose contents are loaded on demand. Only reads of contents that are not in memory take time. */
export function storedDriver({
  tree,
  cache,
  clock,
  placeStream,
}: StoredDriverParts): FilesystemDriver {
  const nodes = treeDriver(tree, clock);
  return {
    ...nodes,
    name: "store",

    async read(path, offset, length) {
      const node = tree.find(path);
      const bytes =
        node?.kind === "symlink"
          ? node.target.subarray(offset, offset + length)
          : await existingFile(tree, path).content.read(offset, length);
      return copyBytes(bytes);
    },

    write,

    accelerate: {
      ...nodes.accelerate,

      contentId: (path) => existingFile(tree, path).content.revision,

      load(path, maxBytes) {
        const content = fileAt(tree, path)?.content;
        return content !== undefined && content.sizeBytes <= maxBytes ? content.load() : undefined;
      },

      walk(base, enter, options) {
        // Makes later changes copy, so that the walk sees one version however long it takes.
        tree.disown();
        const node = tree.find(base);
        return node?.kind === "directory" ? walkStored(node, base, enter, options) : [];
      },

      openRead(path) {
        const { content } = existingFile(tree, path);
        return {
          sizeBytes: content.sizeBytes,
          read: async (offset, length) => copyBytes(await content.read(offset, length)),
          close() {},
        };
      },

      openWrite(path, mode, options) {
        const before = mode === "append" ? () => fileAt(tree, path)?.content : undefined;
        return new StoredWriter(before, cache, placeStream, (content) =>
          putContent(tree, clock, path, content, mode, options),
        );
      },
    },
  };

  function write(
    path: VirtualPath,
    bytes: Uint8Array,
    mode: WriteMode,
    options: DriverWriteOptions,
  ): MaybePromise<string> {
    if (options.kind === "symlink")
      return putLink(tree, clock, path, copyBytes(bytes), mode, options);
    const before = mode === "append" ? fileAt(tree, path)?.content : undefined;
    if (before !== undefined && bytes.length === 0)
      return putContent(tree, clock, path, before, mode, options);
    const own = options.isOwned ? plainBytes(bytes) : copyBytes(bytes);
    if (before !== undefined) return append(path, before, own, options);
    const contentId = contentIdOf(own);
    const put = (id: string) =>
      putContent(tree, clock, path, StoredContent.fresh(cache, id, own), mode, options);
    return typeof contentId === "string" ? put(contentId) : contentId.then(put);
  }

  async function append(
    path: VirtualPath,
    before: StoredContent,
    bytes: Uint8Array,
    options: DriverWriteOptions,
  ): Promise<string> {
    const whole = concatBytes([(await before.load()).bytes(), bytes]);
    const content = StoredContent.fresh(cache, await contentIdOf(whole), whole);
    return putContent(tree, clock, path, content, "append", options);
  }
}
