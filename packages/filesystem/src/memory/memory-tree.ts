import type { FileContent } from "../content/file-content.js";
import { ROOT, type VirtualPath } from "../path/virtual-path.js";
import type { Usage } from "../protocol/filesystem.js";
import {
  MemoryDirectory,
  MemoryFile,
  type MemoryLink,
  type MemoryNode,
  type NodeContent,
} from "./memory-node.js";

/** One version of a tree. It lives as long as it is referenced. */
export interface MemoryVersion<Content extends NodeContent = FileContent> {
  readonly root: MemoryDirectory<Content>;
  readonly usage: Usage;
}

// Unique across all trees, because `fork` shares versions between trees.
let lastOwner = 0;

/**
 * A tree of files in which keeping a version costs only a pointer.
 *
 * Every node has an owner. Nodes of the tree's current owner are changed in place; all others are copied
 * first. `keep` returns the current version and takes a new owner, so that the version does not change.
 */
export class MemoryTree<Content extends NodeContent = FileContent> {
  #owner = ++lastOwner;
  #root: MemoryDirectory<Content>;
  #totalBytes = 0;
  #fileCount = 0;
  #directoryCount = 0;
  /** The current version, if `keep` has returned it already. */
  #kept: MemoryVersion<Content> | undefined;

  constructor(nowMs: number) {
    this.#root = MemoryDirectory.empty(this.#owner, nowMs);
  }

  usage(): Usage {
    return Object.freeze({
      totalBytes: this.#totalBytes,
      fileCount: this.#fileCount,
      directoryCount: this.#directoryCount,
      nodeCount: this.#fileCount + this.#directoryCount,
    });
  }

  /** The current version. Returns the same object until something changes. */
  keep(): MemoryVersion<Content> {
    if (this.#kept !== undefined) return this.#kept;
    this.disown();
    this.#kept = { root: this.#root, usage: this.usage() };
    return this.#kept;
  }

  /** Switches to a kept version, which stays valid. */
  switchTo(version: MemoryVersion<Content>): void {
    const { root, usage } = version;
    this.disown();
    this.#root = root;
    this.#totalBytes = usage.totalBytes;
    this.#fileCount = usage.fileCount;
    this.#directoryCount = usage.directoryCount;
    this.#kept = version;
  }

  /** Freezes all current nodes: the next change to one makes a copy. */
  disown(): void {
    this.#owner = ++lastOwner;
  }

  find(path: VirtualPath): MemoryNode<Content> | undefined {
    let node: MemoryNode<Content> | undefined = this.#root;
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

  /** Writes a file. The parent exists, and the path is a file or free. */
  putFile(path: VirtualPath, content: Content, mode: number, nowMs: number): void {
    const before = this.find(path);
    if (before?.kind === "file" && before.owner === this.#owner) {
      this.#totalBytes += content.sizeBytes - before.content.sizeBytes;
      before.content = content;
      before.mode = mode;
      before.modifiedAtMs = nowMs;
      return;
    }
    const createdAtMs = before?.createdAtMs ?? nowMs;
    this.#put(path, new MemoryFile(this.#owner, content, mode, createdAtMs, nowMs), nowMs);
  }

  addDirectory(path: VirtualPath, nowMs: number): void {
    this.#put(path, MemoryDirectory.empty(this.#owner, nowMs), nowMs);
  }

  addLink(path: VirtualPath, target: Uint8Array, nowMs: number): void {
    const createdAtMs = this.find(path)?.createdAtMs ?? nowMs;
    const link: MemoryLink = { kind: "symlink", target, createdAtMs, modifiedAtMs: nowMs };
    this.#put(path, link, nowMs);
  }

  /** Puts a node at a path. The attributes of its directory stay as they are. */
  putNode(path: VirtualPath, node: MemoryNode<Content>): void {
    this.#put(path, node, undefined);
  }

  /** Sets the attributes of an existing directory. */
  setDirectory(
    path: VirtualPath,
    mode: number | undefined,
    modifiedAtMs: number | undefined,
    createdAtMs?: number,
  ): void {
    const set = (owned: MemoryDirectory<Content>) => {
      owned.mode = mode ?? owned.mode;
      owned.modifiedAtMs = modifiedAtMs ?? owned.modifiedAtMs;
      owned.createdAtMs = createdAtMs ?? owned.createdAtMs;
      return owned;
    };
    if (path === ROOT) {
      this.#kept = undefined;
      this.#root = set(this.#own(this.#root));
      return;
    }
    const { parent, name } = this.#openParent(path);
    const directory = parent.children.get(name);
    if (directory?.kind !== "directory") return;
    parent.children.set(name, set(this.#own(directory)));
    parent.walked = undefined;
  }

  /** Puts a node of this tree at another path too. Both share it until one of them changes. */
  attach(path: VirtualPath, node: MemoryNode<Content>, nowMs: number): void {
    this.disown();
    this.#put(path, node, nowMs);
  }

  /** @param nowMs the new time of the directory; `undefined` if it stays */
  remove(path: VirtualPath, nowMs: number | undefined): void {
    const { parent, name } = this.#openParent(path);
    const before = parent.children.get(name);
    if (before === undefined) return;
    this.#count(before, -1);
    changeListing(parent, nowMs);
    parent.children.delete(name);
  }

  #put(path: VirtualPath, node: MemoryNode<Content>, nowMs: number | undefined): void {
    const { parent, name } = this.#openParent(path);
    const before = parent.children.get(name);
    if (before !== undefined) this.#count(before, -1);
    this.#count(node, 1);
    if (before?.kind !== node.kind) changeListing(parent, nowMs);
    parent.walked = undefined;
    parent.children.set(name, node);
  }

  /** The parent of `path`. It and the directories above it are copied first if another owner has them. */
  #openParent(path: VirtualPath): { parent: MemoryDirectory<Content>; name: string } {
    // The nodes of a kept version have another owner, so the first change after `keep` always gets here.
    this.#kept = undefined;
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
      if (owned !== child) {
        parent.children.set(name, owned);
        parent.walked = undefined;
      }
      parent = owned;
      start = slash + 1;
    }
  }

  #own(directory: MemoryDirectory<Content>): MemoryDirectory<Content> {
    return directory.owner === this.#owner ? directory : directory.copyFor(this.#owner);
  }

  #count(node: MemoryNode<Content>, sign: 1 | -1): void {
    if (node.kind === "directory") {
      this.#countDirectory(node, sign);
      return;
    }
    this.#fileCount += sign;
    if (node.kind === "file") this.#totalBytes += sign * node.content.sizeBytes;
  }

  /** Separate from its only caller, so that counting a file allocates no closure. */
  #countDirectory(directory: MemoryDirectory<Content>, sign: 1 | -1): void {
    this.#directoryCount += sign;
    directory.children.forEach((child) => {
      this.#count(child, sign);
    });
  }
}

function changeListing<Content extends NodeContent>(
  directory: MemoryDirectory<Content>,
  nowMs: number | undefined,
): void {
  directory.listing = undefined;
  directory.walked = undefined;
  directory.modifiedAtMs = nowMs ?? directory.modifiedAtMs;
}
