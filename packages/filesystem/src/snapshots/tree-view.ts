import type { VirtualPath } from "../path/virtual-path.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";

/** One node of a captured tree. */
export interface TreeEntry {
  readonly path: VirtualPath;
  readonly kind: "file" | "directory" | "symlink";
  /** Whether the owner may execute the file. */
  readonly executable: boolean;
  /** All permission bits. @default 0o644, or 0o755 for a directory and an executable file */
  readonly mode?: number | undefined;
  /** The time of the last change, in milliseconds since 1970. @default unknown; a restored node gets the current time */
  readonly modifiedAtMs?: number | undefined;
  readonly sizeBytes: number;
  /** Equal for equal contents within one backend. Empty for a directory. */
  readonly contentId: string;
  /** The content of a file, or the target of a link. */
  read(): MaybePromise<Uint8Array>;
  /**
   * The content of a file in parts, for a file that is too large for memory. A part is valid until the next one. Throws
   * after the last part if the content is damaged. @default the content is read as a whole
   */
  parts?(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** One state of a workspace, readable until it is released. */
export interface TreeView {
  /** Every node below the root, each directory before its content. */
  entries(): Iterable<TreeEntry> | AsyncIterable<TreeEntry>;
  /**
   * The nodes at these paths and below them, each directory before its content. A path that is below another one is
   * not repeated. @default every node is read and filtered
   */
  entriesAt?(paths: readonly VirtualPath[]): Iterable<TreeEntry>;
  /**
   * The nodes that may differ from `other`, a view of the same backend. Equal nodes may be omitted.
   * @default every node
   */
  entriesUnlike?(other: TreeView): {
    readonly mine: Iterable<TreeEntry> | AsyncIterable<TreeEntry>;
    readonly theirs: Iterable<TreeEntry> | AsyncIterable<TreeEntry>;
  };
}

/** The permission bits of a file, if its source knows only whether it is executable. */
export function modeOf({ mode, executable }: Pick<TreeEntry, "mode" | "executable">): number {
  return mode ?? (executable ? 0o755 : 0o644);
}
