import { closeSync, fstatSync } from "node:fs";
import type { FileContent } from "../../content/file-content.js";
import type { DriverEntry, DriverStat } from "../../driver/driver.js";
import type { WalkEntry, WalkOptions } from "../../driver/driver-accelerators.js";
import { inWalkOrder } from "../../path/in-walk-order.js";
import { baseName, joinPath, type VirtualPath } from "../../path/virtual-path.js";
import type { NodeKind } from "../../protocol/filesystem.js";
import { FilesystemError } from "../../protocol/filesystem-error.js";
import { DirectoryStack, type Frame } from "../containment/directory-stack.js";
import type { HostRoot } from "../containment/host-root.js";
import { driverStat } from "../containment/host-stat.js";
import { type MountGuard, mountGuard } from "../containment/mount-guard.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { visibleEntries } from "../containment/visible-entries.js";
import { ABSENCES, errorCode, isAbsence } from "../process/from-node-error.js";
import { DirectoryCache } from "./directory-cache.js";
import { fill, loadLeaf, revisionOfLeaf } from "./read-file.js";
import type { RevisionCache } from "./revision-cache.js";

export interface HostWalkOptions {
  readonly enter: (path: VirtualPath) => boolean;
  /** Whether other filesystems mounted below the root are entered. */
  readonly crossMounts: boolean;
  readonly onClosed?: WalkOptions["onClosed"];
}

/** The state that all entries of one walk share. */
interface Walk {
  readonly root: HostRoot;
  readonly cache: RevisionCache;
  /** Opens directories again for entries that are read after the walk has left their directory. */
  readonly visit: DirectoryCache;
  /** Reused for every `peek`. Grows to the size of the largest file. */
  scratch: Buffer;
}

interface WalkFrame extends Frame {
  readonly entries: readonly DriverEntry[];
  next: number;
}

/**
 * Yields everything below `base` without following links, each directory just before its content.
 *
 * Files come in the byte order of their paths. A node that is created or deleted during the walk may be missed.
 * Each directory is listed once, at one moment.
 */
export function* walkHost(
  root: HostRoot,
  cache: RevisionCache,
  base: VirtualPath,
  options: HostWalkOptions,
): Generator<HostWalkEntry, void, void> {
  root.requireOpen();
  const visit = new DirectoryCache(root);
  const walk: Walk = { root, cache, visit, scratch: Buffer.allocUnsafe(64 * 1024) };
  const isForeign = options.crossMounts ? () => false : mountGuard(root);
  const stack = new DirectoryStack<WalkFrame>(root);
  try {
    stack.push(openFrame(root, root.enter(base), base));
    for (let frame = stack.top; frame !== undefined; frame = stack.top) {
      const entry = frame.entries[frame.next++];
      if (entry === undefined) {
        stack.pop();
        continue;
      }
      const found = new WalkedNode(walk, frame, entry);
      yield found;
      root.requireOpen();
      if (entry.kind !== "directory" || !options.enter(found.path)) continue;
      const child = enterChild(root, stack, found.path, isForeign, options);
      if (child !== undefined) stack.push(child);
    }
  } finally {
    stack.close();
  }
}

/** One entry of a walk. It can be read during the walk or later. */
export interface HostWalkEntry extends WalkEntry {
  load(maxBytes: number): FileContent | undefined;
  /**
   * The bytes of a file of at most `maxBytes`, or `undefined` if it is larger or cannot be read. The bytes are
   * valid until the next `peek` on the same walk. Nothing is allocated or hashed, so it is fast for a search.
   */
  peek(maxBytes: number): Uint8Array | undefined;
  stat(): DriverStat | undefined;
  /** The revision of the file's current content. */
  revision(): string | undefined;
}

class WalkedNode implements HostWalkEntry {
  readonly path: VirtualPath;
  readonly kind: NodeKind;
  readonly #walk: Walk;
  readonly #frame: Frame;
  readonly #name: string;

  constructor(walk: Walk, frame: Frame, { name, kind }: DriverEntry) {
    this.path = joinPath(frame.path, name);
    this.kind = kind;
    this.#walk = walk;
    this.#frame = frame;
    this.#name = name;
  }

  load(maxBytes: number): FileContent | undefined {
    const { root, cache } = this.#walk;
    return this.#look((parent) => loadLeaf(root, cache, parent, this.#name, maxBytes));
  }

  peek(maxBytes: number): Uint8Array | undefined {
    return this.#look((parent) => this.#peekIn(parent, maxBytes));
  }

  #peekIn(parent: PinnedDirectory, maxBytes: number): Uint8Array | undefined {
    const walk = this.#walk;
    const fd = walk.root.openLeaf(parent, this.#name);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.size > maxBytes) return undefined;
      if (stat.size > walk.scratch.length) walk.scratch = Buffer.allocUnsafe(stat.size * 2);
      return walk.scratch.subarray(0, fill(fd, walk.scratch, 0, stat.size));
    } finally {
      closeSync(fd);
    }
  }

  stat(): DriverStat | undefined {
    return this.#look((parent) => {
      const stat = parent.stat(this.#name);
      return stat && driverStat(stat);
    });
  }

  revision(): string | undefined {
    const { root, cache } = this.#walk;
    return this.#look((parent) => revisionOfLeaf(root, cache, parent, this.#name));
  }

  /**
   * Uses the walk's open directory, or opens it by path if the walk has left it. Returns `undefined` for an
   * unreadable node.
   */
  #look<T>(body: (parent: PinnedDirectory) => T): T | undefined {
    const { directory, path } = this.#frame;
    try {
      return body(directory ?? this.#walk.visit.enter(path));
    } catch (error) {
      if (UNREADABLE.includes(errorCode(error) ?? "")) return undefined;
      throw error;
    }
  }
}

/** For a walk that needs every file: throws an error that names the unreadable directory. */
export function refuseClosed(operation: string, path: VirtualPath): never {
  const reason = "the directory cannot be read, and a copy without it would not be complete";
  throw new FilesystemError("EACCES", { operation, path, reason });
}

const UNREADABLE = [
  ...ABSENCES,
  ...["ELOOP", "EMLINK", "ENXIO", "ENODEV", "EACCES", "EPERM", "EINVAL", "ENOTREG", "EISDIR"],
];

/** Reads an open directory, and closes it if that fails. */
function openFrame(root: HostRoot, directory: PinnedDirectory, path: VirtualPath): WalkFrame {
  const entries = root.orLeave(directory, () => visibleEntries(root, directory));
  return { path, directory, entries: inWalkOrder(entries), next: 0 };
}

/**
 * Opens a directory of the walk. Returns `undefined` if it was deleted, became a link, is another mount or is
 * unreadable.
 */
function enterChild(
  root: HostRoot,
  stack: DirectoryStack<WalkFrame>,
  path: VirtualPath,
  isForeign: MountGuard,
  options: HostWalkOptions,
): WalkFrame | undefined {
  try {
    const child = root.openDirectory(stack.current(), baseName(path));
    if (!root.orLeave(child, () => isForeign(child))) return openFrame(root, child, path);
    root.leave(child);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EACCES" || code === "EPERM") options.onClosed?.(path);
    else if (!isAbsence(error) && code !== "ELOOP") throw error;
  }
  return undefined;
}
