import type { Usage } from "../filesystem.js";
import type { VirtualPath } from "../virtual-path.js";
import type { MemoryDirectory, MemoryNode } from "./memory-node.js";
import { NameMap } from "./name-map.js";

/** One version of a tree, kept for as long as somebody holds it. */
export interface MemoryVersion {
  readonly root: MemoryDirectory;
  readonly usage: Usage;
}

// Owners are never used twice, in whichever tree, because versions travel between trees by `fork`.
let lastOwner = 0;

/**
 * A tree of files of which any version can be kept for the price of a pointer.
 *
 * `keep` hands out the current version and takes a new owner, so that the next
 * change copies what it touches and the kept version stays as it was.
 */
export class MemoryTree {
  #owner = ++lastOwner;
  #root: MemoryDirectory;
  #totalBytes = 0;
  #fileCount = 0;
  #directoryCount = 0;

  constructor(nowMs: number) {
    this.#root = newDirectory(this.#owner, nowMs);
  }

  get root(): MemoryDirectory {
    return this.#root;
  }

  usage(): Usage {
    return Object.freeze({
      totalBytes: this.#totalBytes,
      fileCount: this.#fileCount,
      directoryCount: this.#directoryCount,
      nodeCount: this.#fileCount + this.#directoryCount,
    });
  }

  keep(): MemoryVersion {
    this.#owner = ++lastOwner;
    return { root: this.#root, usage: this.usage() };
  }

  /** Goes to a kept version, which stays good to go back to. */
  switchTo(version: MemoryVersion): void {
    this.#owner = ++lastOwner;
    this.#root = version.root;
    this.#totalBytes = version.usage.totalBytes;
    this.#fileCount = version.usage.fileCount;
    this.#directoryCount = version.usage.directoryCount;
  }

  find(path: VirtualPath): MemoryNode | undefined {
    let node: MemoryNode | undefined = this.#root;
    let start = 0;
    while (node !== undefined && start < path.length) {
      if (node.kind !== "directory") return undefined;
      const slash = path.indexOf("/", start);
      const end = slash < 0 ? path.length : slash;
      node = node.children.get(path.slice(start, end));
      start = end + 1;
    }
    return node;
  }

  /** Puts a node at a path whose parent exists, in place of what is there. */
  put(path: VirtualPath, node: MemoryNode, nowMs: number): void {
    const { parent, name } = this.#openParent(path);
    const before = parent.children.get(name);
    if (before !== undefined) this.#count(before, -1);
    this.#count(node, 1);
    if (before?.kind !== node.kind) changeListing(parent, nowMs);
    parent.children.set(name, node);
  }

  /** Adds a new, empty directory. */
  addDirectory(path: VirtualPath, nowMs: number): void {
    this.put(path, newDirectory(this.#owner, nowMs), nowMs);
  }

  remove(path: VirtualPath, nowMs: number): void {
    const { parent, name } = this.#openParent(path);
    const before = parent.children.get(name);
    if (before === undefined) return;
    this.#count(before, -1);
    changeListing(parent, nowMs);
    parent.children.delete(name);
  }

  /** The parent of `path` as one's own, every directory above it too. */
  #openParent(path: VirtualPath): { parent: MemoryDirectory; name: string } {
    let parent = this.#own(this.#root);
    this.#root = parent;
    let start = 0;
    for (;;) {
      const slash = path.indexOf("/", start);
      if (slash < 0) return { parent, name: path.slice(start) };
      const name = path.slice(start, slash);
      const child = parent.children.get(name);
      if (child?.kind !== "directory") throw new Error("The parent of a changed path must exist.");
      const owned = this.#own(child);
      if (owned !== child) parent.children.set(name, owned);
      parent = owned;
      start = slash + 1;
    }
  }

  #own(directory: MemoryDirectory): MemoryDirectory {
    if (directory.owner === this.#owner) return directory;
    const children = directory.children.ownedBy(this.#owner);
    return { ...directory, owner: this.#owner, children };
  }

  #count(node: MemoryNode, sign: 1 | -1): void {
    if (node.kind === "file") {
      this.#fileCount += sign;
      this.#totalBytes += sign * node.content.sizeBytes;
      return;
    }
    this.#directoryCount += sign;
    node.children.forEach((child) => {
      this.#count(child, sign);
    });
  }
}

function newDirectory(owner: number, nowMs: number): MemoryDirectory {
  return {
    kind: "directory",
    owner,
    children: new NameMap(owner),
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
    listing: undefined,
  };
}

function changeListing(directory: MemoryDirectory, nowMs: number): void {
  directory.listing = undefined;
  directory.modifiedAtMs = nowMs;
}
