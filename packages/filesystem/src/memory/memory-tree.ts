import type { FileContent } from "../content/file-content.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { Usage } from "../protocol/filesystem.js";
import { FileIndex } from "./file-index.js";
import { MemoryDirectory, MemoryFile, type MemoryLink, type MemoryNode } from "./memory-node.js";
import { withoutLinks } from "./without-links.js";

/** One version of a tree, kept for as long as somebody holds it. */
export interface MemoryVersion {
  readonly id: number;
  readonly root: MemoryDirectory;
  readonly usage: Usage;
}

// Never used twice, in whichever tree, because versions travel between trees by `fork`.
let lastOwner = 0;

/**
 * A tree of files of which any version can be kept for the price of a pointer.
 *
 * Every node has an owner. What belongs to the tree's present owner is changed in
 * place, anything else is copied first. `keep` hands out the current version and
 * takes a new owner, so that the version stays as it was.
 */
export class MemoryTree {
  readonly #index = new FileIndex();
  #owner = ++lastOwner;
  #root: MemoryDirectory;
  #totalBytes = 0;
  #fileCount = 0;
  #directoryCount = 0;
  /** The current version, where it has been kept already. */
  #kept: MemoryVersion | undefined;

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

  /** The current version. The same one, as long as nothing changes. */
  keep(): MemoryVersion {
    if (this.#kept !== undefined) return this.#kept;
    this.disown();
    this.#index.mark(this.#owner);
    this.#kept = { id: this.#owner, root: this.#root, usage: this.usage() };
    return this.#kept;
  }

  /** Goes to a kept version, which stays good to go back to. */
  switchTo(version: MemoryVersion): void {
    const { id, root, usage } = version;
    this.disown();
    this.#index.returnTo(id);
    this.#root = root;
    this.#totalBytes = usage.totalBytes;
    this.#fileCount = usage.fileCount;
    this.#directoryCount = usage.directoryCount;
    this.#kept = version;
  }

  /** Says that a kept version was dropped, and what only it holds need not stay. */
  forget(): void {
    this.#index.letGo();
  }

  /** Makes every node as it is now safe to hold on to: the next change to it makes a copy. */
  disown(): void {
    this.#owner = ++lastOwner;
  }

  /** Whether a file was found or put at this path, and is there still. */
  knows(path: string): path is VirtualPath {
    return this.#index.has(path);
  }

  find(path: VirtualPath): MemoryNode | undefined {
    const known = this.#index.get(path);
    if (known !== undefined) return known;
    let node: MemoryNode | undefined = this.#root;
    let start = 0;
    while (node !== undefined && start < path.length) {
      if (node.kind !== "directory") return undefined;
      const slash = path.indexOf("/", start);
      const end = slash < 0 ? path.length : slash;
      node = node.children.get(path.slice(start, end));
      start = end + 1;
    }
    if (node?.kind === "file") this.#index.add(path, node);
    return node;
  }

  /** Puts a file at a path whose parent exists, in place of a file or of nothing. */
  putFile(path: VirtualPath, content: FileContent, executable: boolean, nowMs: number): void {
    const before = this.find(path);
    if (before?.kind === "file" && before.owner === this.#owner) {
      this.#totalBytes += content.sizeBytes - before.content.sizeBytes;
      before.content = content;
      before.executable = executable;
      before.modifiedAtMs = nowMs;
      return;
    }
    const createdAtMs = before?.createdAtMs ?? nowMs;
    const file = new MemoryFile(this.#owner, content, executable, createdAtMs, nowMs);
    this.#put(path, file, nowMs);
    this.#index.change(path, file);
  }

  addDirectory(path: VirtualPath, nowMs: number): void {
    this.#put(path, MemoryDirectory.empty(this.#owner, nowMs), nowMs);
  }

  addLink(path: VirtualPath, target: Uint8Array, nowMs: number): void {
    const link: MemoryLink = { kind: "symlink", target, createdAtMs: nowMs, modifiedAtMs: nowMs };
    this.#put(path, link, nowMs);
  }

  /** Puts what is at `from` at another path too. Links inside a directory stay behind. */
  copy(from: VirtualPath, to: VirtualPath, nowMs: number): void {
    const node = this.find(from);
    if (node === undefined) return;
    const copied = node.kind === "directory" ? withoutLinks(node, this.#owner) : node;
    this.attach(to, copied, nowMs);
  }

  /** Puts a node that is elsewhere in the tree, or was, at another path too. */
  attach(path: VirtualPath, node: MemoryNode, nowMs: number): void {
    this.disown();
    this.#put(path, node, nowMs);
    if (node.kind === "file") this.#index.change(path, node);
    else if (node.kind === "directory") this.#index.clear();
  }

  remove(path: VirtualPath, nowMs: number): void {
    const { parent, name } = this.#openParent(path);
    const before = parent.children.get(name);
    if (before === undefined) return;
    this.#count(before, -1);
    changeListing(parent, nowMs);
    parent.children.delete(name);
    if (before.kind === "file") this.#index.change(path, undefined);
    else if (before.kind === "directory" && before.children.size > 0) this.#index.clear();
  }

  #put(path: VirtualPath, node: MemoryNode, nowMs: number): void {
    const { parent, name } = this.#openParent(path);
    const before = parent.children.get(name);
    if (before !== undefined) this.#count(before, -1);
    this.#count(node, 1);
    if (before?.kind !== node.kind) changeListing(parent, nowMs);
    parent.walked = undefined;
    parent.children.set(name, node);
  }

  /** The parent of `path` as one's own, every directory above it too. */
  #openParent(path: VirtualPath): { parent: MemoryDirectory; name: string } {
    // What is kept is nobody's to change, so every first change after it comes this way.
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

  #own(directory: MemoryDirectory): MemoryDirectory {
    return directory.owner === this.#owner ? directory : directory.copyFor(this.#owner);
  }

  #count(node: MemoryNode, sign: 1 | -1): void {
    if (node.kind === "directory") {
      this.#countDirectory(node, sign);
      return;
    }
    this.#fileCount += sign;
    if (node.kind === "file") this.#totalBytes += sign * node.content.sizeBytes;
  }

  /** Apart from its only caller, so that counting a file makes no closure. */
  #countDirectory(directory: MemoryDirectory, sign: 1 | -1): void {
    this.#directoryCount += sign;
    directory.children.forEach((child) => {
      this.#count(child, sign);
    });
  }
}

function changeListing(directory: MemoryDirectory, nowMs: number): void {
  directory.listing = undefined;
  directory.walked = undefined;
  directory.modifiedAtMs = nowMs;
}
