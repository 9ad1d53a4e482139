import type { DriverEntry } from "../driver.js";
import type { FileContent } from "../file-content.js";
import type { NameMap } from "./name-map.js";

/** A file of one version of the tree. Replaced, never changed. */
export interface MemoryFile {
  readonly kind: "file";
  readonly content: FileContent;
  readonly executable: boolean;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** A directory. Only its owner may change it; the others copy it first. */
export interface MemoryDirectory {
  readonly kind: "directory";
  readonly owner: number;
  children: NameMap<MemoryNode>;
  readonly createdAtMs: number;
  modifiedAtMs: number;
  /** The children as last listed; dropped when one comes or goes. */
  listing: readonly DriverEntry[] | undefined;
}

export type MemoryNode = MemoryFile | MemoryDirectory;
