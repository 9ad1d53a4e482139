import type { FileContent } from "../content/file-content.js";
import type { WalkEntry, WalkOptions } from "../driver/driver.js";
import { inWalkOrder } from "../path/in-walk-order.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import type { GlobMatch } from "../protocol/filesystem.js";
import { globMatch } from "../search/glob/glob-match.js";
import type { MemoryDirectory, MemoryNode } from "./memory-node.js";

/** As much is passed over at most before the reader gets the next file, wanted or not, and may let others have a turn. */
const MOST_FILES_PASSED_OVER = 64;
const MOST_BYTES_PASSED_OVER = 128 * 1024;

/** Everything below `directory`, in the order of a walk. The caller sees to it that nothing changes meanwhile. */
export function* walkMemory(
  directory: MemoryDirectory,
  base: VirtualPath,
  enter: (path: VirtualPath) => boolean,
  { unwanted = () => false }: WalkOptions = {},
): Generator<WalkEntry, void, void> {
  // Where the walk is in each directory on the way down, innermost last.
  const frames = [frameOf(directory, base)];
  let filesLeft = MOST_FILES_PASSED_OVER;
  let bytesLeft = MOST_BYTES_PASSED_OVER;
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
    filesLeft = MOST_FILES_PASSED_OVER;
    bytesLeft = MOST_BYTES_PASSED_OVER;
    yield entry;
    if (node.kind === "directory" && enter(path)) frames.push(frameOf(node, path));
  }
}

/**
 * The entries of one directory in the order of a walk, kept with it: what searches
 * make of a name, a path or a match is then made once.
 */
export interface MemoryWalked {
  /** Where the directory was; the same one may stand at several paths. */
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
