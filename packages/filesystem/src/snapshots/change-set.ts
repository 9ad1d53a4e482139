import type { TreeEntry } from "./tree-view.js";

/** What became of one path. */
export interface FileChange {
  /** `mode` is a change of the execute bit alone. */
  readonly type: "added" | "modified" | "deleted" | "renamed" | "mode";
  readonly path: string;
  /** Where a renamed file was. */
  readonly oldPath?: string | undefined;
  readonly sizeBytesBefore?: number | undefined;
  readonly sizeBytesAfter?: number | undefined;
}

/** A change with both of its sides, for those who write patches and apply them. */
export interface TreeChange {
  readonly type: FileChange["type"];
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** The difference between two states. */
export interface ChangeSet {
  /**
   * By path in byte order. Directories appear only when they are on one side alone and empty there;
   * what turned from one kind into another (a file into a link) is deleted and added.
   */
  readonly files: readonly FileChange[];
  readonly isEmpty: boolean;
  /**
   * A unified patch that `git apply` takes: text, binary, renames, modes. Empty when nothing changed.
   * A patch has no word for an empty directory.
   */
  toPatch(): Promise<string>;
}
