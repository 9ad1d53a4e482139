import type { DriverEntry } from "../driver.js";
import type { FileContent } from "../file-content.js";
import type { MemoryWalked } from "./memory-walk.js";
import type { NameMap } from "./name-map.js";

/** A file. Only its owner may change it; the others put another in its place. */
export interface MemoryFile {
  readonly kind: "file";
  readonly owner: number;
  content: FileContent;
  executable: boolean;
  readonly createdAtMs: number;
  modifiedAtMs: number;
}

/** A directory. Only its owner may change it; the others copy it first. */
export interface MemoryDirectory {
  readonly kind: "directory";
  readonly owner: number;
  readonly children: NameMap<MemoryNode>;
  readonly createdAtMs: number;
  modifiedAtMs: number;
  /** The children as last listed; dropped when one comes or goes. */
  listing: readonly DriverEntry[] | undefined;
  /** What a walk last met here; dropped when a child comes, goes or is replaced. */
  walked: MemoryWalked | undefined;
}

/** A symbolic link. It comes with an imported snapshot, is carried along and never followed. */
export interface MemoryLink {
  readonly kind: "symlink";
  readonly target: Uint8Array;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export type MemoryNode = MemoryFile | MemoryDirectory | MemoryLink;
