import type { FileContent } from "../content/file-content.js";
import type { DriverEntry } from "../driver/driver.js";
import type { MemoryWalked } from "./memory-walk.js";
import { NameMap } from "./name-map.js";

// Classes, because the engine puts what a literal makes among the old objects where much of it has grown old before,
// as the first files of a tree do; and what is old keeps all that it refers to until the next great collection.

/** A file. Only its owner may change it; the others put another in its place. */
export class MemoryFile {
  readonly kind = "file";
  content: FileContent;
  readonly owner: number;
  executable: boolean;
  readonly createdAtMs: number;
  modifiedAtMs: number;

  constructor(
    owner: number,
    content: FileContent,
    executable: boolean,
    createdAtMs: number,
    modifiedAtMs: number,
  ) {
    this.content = content;
    this.owner = owner;
    this.executable = executable;
    this.createdAtMs = createdAtMs;
    this.modifiedAtMs = modifiedAtMs;
  }
}

/** A directory. Only its owner may change it; the others copy it first. */
export class MemoryDirectory {
  readonly kind = "directory";
  readonly owner: number;
  readonly children: NameMap<MemoryNode>;
  readonly createdAtMs: number;
  modifiedAtMs: number;
  /** The children as last listed; dropped when one comes or goes. */
  listing: readonly DriverEntry[] | undefined;
  /** What a walk last met here; dropped when a child comes, goes or is replaced. */
  walked: MemoryWalked | undefined;

  private constructor(
    owner: number,
    children: NameMap<MemoryNode>,
    createdAtMs: number,
    modifiedAtMs: number,
    listing?: readonly DriverEntry[],
  ) {
    this.owner = owner;
    this.children = children;
    this.createdAtMs = createdAtMs;
    this.modifiedAtMs = modifiedAtMs;
    this.listing = listing;
    this.walked = undefined;
  }

  static empty(owner: number, nowMs: number): MemoryDirectory {
    return new MemoryDirectory(owner, new NameMap(owner), nowMs, nowMs);
  }

  /** The same directory for another owner to change. */
  copyFor(owner: number): MemoryDirectory {
    const { children, createdAtMs, modifiedAtMs, listing } = this;
    const copied = children.copyFor(owner);
    return new MemoryDirectory(owner, copied, createdAtMs, modifiedAtMs, listing);
  }
}

/** A symbolic link. It comes with an imported snapshot, is carried along and never followed. */
export interface MemoryLink {
  readonly kind: "symlink";
  readonly target: Uint8Array;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export type MemoryNode = MemoryFile | MemoryDirectory | MemoryLink;
