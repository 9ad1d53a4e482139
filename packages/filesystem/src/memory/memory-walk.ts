import type { FileContent } from "../content/file-content.js";
import type { WalkEntry, WalkOptions } from "../driver/driver-accelerators.js";
import { inWalkOrder } from "../path/in-walk-order.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import type { GlobMatch } from "../protocol/filesystem.js";
import { globMatch } from "../search/glob/glob-match.js";
import type { MemoryDirectory, MemoryNode } from "./memory-node.js";

/** The limits on skipped files before the walk yields the next file, wanted or not, so that the caller can pause. */
const MAX_FILES_SKIPPED = 64;
const MAX_BYTES_SKIPPED = 128 * 1024;

/** Everything below `directory`, in walk order. The caller makes sure that nothing changes during the walk. */
export function* walkMemory(
  directory: MemoryDirectory,
  base: VirtualPath,
  enter: (path: VirtualPath) => boolean,
  { unwanted = () => false }: WalkOptions = {},
): Generator<WalkEntry, void, void> {
  // The position in each directory on the path, innermost last.
  const frames = [frameOf(directory, base)];
  let filesLeft = MAX_FILES_SKIPPED;
  let bytesLeft = MAX_BYTES_SKIPPED;
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const entry = frame.entries[frame.next++];
    if (entry === undefined) {
      frames.pop();
      continue;
    }
    const { node, path } = entry;
    if (node.kind === "file" && filesLeft > 0 && bytesLeft > 0 && unwanted(node.content)) {
      filesLeft--;
      bytesLeft -= node.content.sizeBytes;
      continue;
    }
    filesLeft = MAX_FILES_SKIPPED;
    bytesLeft = MAX_BYTES_SKIPPED;
    yield entry;
    if (node.kind === "directory" && enter(path)) frames.push(frameOf(node, path));
  }
}

/**
 * The entries of one directory in walk order. Cached with the directory, so that searches reuse names, paths and
 * matches.
 */
export interface MemoryWalked {
  /** The path for which the entries were made. One directory may be at several paths. */
  readonly path: VirtualPath;
  readonly entries: readonly MemoryWalkEntry[];
}

interface Frame {
  readonly entries: readonly MemoryWalkEntry[];
  next: number;
}

function frameOf(directory: MemoryDirectory, path: VirtualPath): Frame {
  if (directory.walked?.path !== path) directory.walked = walkedAt(directory, path);
  return { entries: directory.walked.entries, next: 0 };
}

function walkedAt(directory: MemoryDirectory, path: VirtualPath): MemoryWalked {
  const entries: MemoryWalkEntry[] = [];
  directory.children.forEach((child, name) => {
    entries.push(new MemoryWalkEntry(joinPath(path, name), name, child));
  });
  return { path, entries: inWalkOrder(entries) };
}

class MemoryWalkEntry implements WalkEntry {
  readonly path: VirtualPath;
  readonly name: string;
  readonly kind: MemoryNode["kind"];
  readonly node: MemoryNode;
  #match: GlobMatch | undefined;

  constructor(path: VirtualPath, name: string, node: MemoryNode) {
    this.path = path;
    this.name = name;
    this.kind = node.kind;
    this.node = node;
  }

  match(): GlobMatch {
    this.#match ??= globMatch(this.path, this.kind);
    return this.#match;
  }

  load(maxBytes: number): FileContent | undefined {
    if (this.node.kind !== "file" || this.node.content.sizeBytes > maxBytes) return undefined;
    return this.node.content;
  }
}
