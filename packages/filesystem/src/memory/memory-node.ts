import type { FileContent } from "../content/file-content.js";
import type { DriverEntry } from "../driver/driver.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";
import type { MemoryWalked } from "./memory-walk.js";
import { NameMap } from "./name-map.js";

/** The content of a file: in memory, or in a store and loaded on demand. It never changes. */
export interface NodeContent {
  readonly sizeBytes: number;
  readonly revision: string;
  /** The content if it is in memory. */
  readonly loaded: FileContent | undefined;
  load(): MaybePromise<FileContent>;
  equals(other: this): boolean;
}

// Classes, not literals: V8 pretenures literals from this site, because the first files of a tree live long.
// Pretenured objects keep their contents alive until a major GC.

/** A file. Only its owner may change it; others replace it. */
export class MemoryFile<Content extends NodeContent = FileContent> {
  readonly kind = "file";
  content: Content;
  readonly owner: number;
  /** Permission bits. */
  mode: number;
  readonly createdAtMs: number;
  modifiedAtMs: number;

  constructor(
    owner: number,
    content: Content,
    mode: number,
    createdAtMs: number,
    modifiedAtMs: number,
  ) {
    this.content = content;
    this.owner = owner;
    this.mode = mode;
    this.createdAtMs = createdAtMs;
    this.modifiedAtMs = modifiedAtMs;
  }
}

/** A directory. Only its owner may change it; others copy it first. */
export class MemoryDirectory<Content extends NodeContent = FileContent> {
  readonly kind = "directory";
  readonly owner: number;
  readonly children: NameMap<MemoryNode<Content>>;
  createdAtMs: number;
  modifiedAtMs: number;
  /** Permission bits. */
  mode: number;
  /** The cached listing; dropped when a child is added or removed. */
  listing: readonly DriverEntry[] | undefined;
  /** The cached entries of the last walk; dropped when a child is added, removed or replaced. */
  walked: MemoryWalked<Content> | undefined;

  private constructor(
    owner: number,
    children: NameMap<MemoryNode<Content>>,
    createdAtMs: number,
    modifiedAtMs: number,
    mode = 0o755,
    listing?: readonly DriverEntry[],
  ) {
    this.owner = owner;
    this.children = children;
    this.createdAtMs = createdAtMs;
    this.modifiedAtMs = modifiedAtMs;
    this.mode = mode;
    this.listing = listing;
    this.walked = undefined;
  }

  static empty<Content extends NodeContent>(
    owner: number,
    nowMs: number,
  ): MemoryDirectory<Content> {
    return new MemoryDirectory(owner, new NameMap(owner), nowMs, nowMs);
  }

  /** A copy that another owner may change. */
  copyFor(owner: number): MemoryDirectory<Content> {
    const { children, createdAtMs, modifiedAtMs, mode, listing } = this;
    const copied = children.copyFor(owner);
    return new MemoryDirectory(owner, copied, createdAtMs, modifiedAtMs, mode, listing);
  }
}

/** A symbolic link. It is replaced, never changed. */
export interface MemoryLink {
  readonly kind: "symlink";
  readonly target: Uint8Array;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export type MemoryNode<Content extends NodeContent = FileContent> =
  | MemoryFile<Content>
  | MemoryDirectory<Content>
  | MemoryLink;
