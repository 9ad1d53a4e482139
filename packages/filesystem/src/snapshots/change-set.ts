import type { TreeEntry } from "./tree-view.js";

/** The change of one path. */
export interface FileChange {
  /** `mode` means that only the permission bits changed. */
  readonly type: "added" | "modified" | "deleted" | "renamed" | "mode";
  readonly path: string;
  /** The old path of a renamed file. */
  readonly oldPath?: string | undefined;
  readonly sizeBytesBefore?: number | undefined;
  readonly sizeBytesAfter?: number | undefined;
}

/** A change with both sides, to write patches and to apply them. */
export interface TreeChange {
  readonly type: FileChange["type"];
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** The difference between two states. */
export interface ChangeSet {
  /**
   * Sorted by path, in byte order. A directory is listed only if one side alone has it and it is empty there. A change
   * of kind (a file becomes a link) is listed as deleted and added.
   */
  readonly files: readonly FileChange[];
  readonly isEmpty: boolean;
  /**
   * A unified patch for `git apply`: text, binary, renames, modes. Empty when nothing changed. A patch cannot represent
   * an empty directory.
   */
  toPatch(): Promise<string>;
  /** Both sides of each change of `files`, with their contents. A content is readable as long as its snapshot exists. */
  entries(): readonly TreeChange[];
  /**
   * The changes of the paths that `keeps` accepts. A move of which one path is kept becomes an addition or a deletion.
   */
  filter(keeps: (path: string) => boolean): Promise<ChangeSet>;
}
