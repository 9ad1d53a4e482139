import type { VirtualPath } from "../path/virtual-path.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";

/** One node of a captured tree. */
export interface TreeEntry {
  readonly path: VirtualPath;
  readonly kind: "file" | "directory" | "symlink";
  readonly executable: boolean;
  readonly sizeBytes: number;
  /** Equal for equal content within one backend; what a link points to is its content. Empty for a directory. */
  readonly contentId: string;
  /** The content of a file, or what a link points to. */
  read(): MaybePromise<Uint8Array>;
}

/** One state of a workspace, readable for as long as it is held. */
export interface TreeView {
  /** Every node below the root, each directory before what is in it. */
  entries(): Iterable<TreeEntry> | AsyncIterable<TreeEntry>;
  /**
   * The nodes that may differ from `other`, a view of the same backend: whatever is the
   * same on both sides may be left out. @default every node
   */
  entriesUnlike?(other: TreeView): {
    readonly mine: Iterable<TreeEntry> | AsyncIterable<TreeEntry>;
    readonly theirs: Iterable<TreeEntry> | AsyncIterable<TreeEntry>;
  };
}
