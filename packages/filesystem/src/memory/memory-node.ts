import type { FileContent } from "../content/file-content.js";
import type { DriverEntry } from "../driver/driver.js";
import type { MemoryWalked } from "./memory-walk.js";
import { NameMap } from "./name-map.js";

// Classes, not literals: V8 pretenures literals from this site, because the first files of a tree live long.
// Pretenured objects keep their contents alive until a major GC.

/** A file. Only its owner may change it; others replace it. */
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

/** A directory. Only its owner may change it; others copy it first. */
export class MemoryDirectory {
  readonly kind = "directory";
  readonly owner: number;
  readonly children: NameMap<MemoryNode>;
  readonly createdAtMs: number;
  modifiedAtMs: number;
  /** The cached listing; dropped when a child is added or removed. */
  listing: readonly DriverEntry[] | undefined;
  /** The cached entries of the last walk; dropped when a child is added, removed or replaced. */
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

  /** A copy that another owner may change. */
  copyFor(owner: number): MemoryDirectory {
    const { children, createdAtMs, modifiedAtMs, listing } = this;
    const copied = children.copyFor(owner);
    return new MemoryDirectory(owner, copied, createdAtMs, modifiedAtMs, listing);
  }
}

/** A symbolic link from an imported snapshot. It is preserved and never followed. */
export interface MemoryLink {
  readonly kind: "symlink";
  readonly target: Uint8Array;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export type MemoryNode = MemoryFile | MemoryDirectory | MemoryLink;
