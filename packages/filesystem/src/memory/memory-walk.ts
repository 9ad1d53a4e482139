import type { FileContent } from "../content/file-content.js";
import type { WalkEntry, WalkOptions } from "../driver/driver-accelerators.js";
import { inWalkOrder } from "../path/in-walk-order.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import type { GlobMatch } from "../protocol/filesystem.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";
import { globMatch } from "../search/glob/glob-match.js";
import type { MemoryDirectory, MemoryNode, NodeContent } from "./memory-node.js";

/** The limits on skipped files before the walk yields the next file, wanted or not, so that the caller can pause. */
const MAX_FILES_SKIPPED = 64;
const MAX_BYTES_SKIPPED = 128 * 1024;

/** Everything below `directory`, in walk order. The caller makes sure that nothing changes during the walk. */
export function* walkMemory<Content extends NodeContent>(
  directory: MemoryDirectory<Content>,
  base: VirtualPath,
  enter: (path: VirtualPath) => boolean,
  { unwanted = () => false }: WalkOptions = {},
): Generator<MemoryWalkEntry<Content>, void, void> {
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
    const loaded = node.kind === "file" ? node.content.loaded : undefined;
    if (loaded !== undefined && filesLeft > 0 && bytesLeft > 0 && unwanted(loaded)) {
      filesLeft--;
      bytesLeft -= loaded.sizeBytes;
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
export interface MemoryWalked<Content extends NodeContent> {
  /** The path for which the entries were made. One directory may be at several paths. */
  readonly path: VirtualPath;
  readonly entries: readonly MemoryWalkEntry<Content>[];
}

interface Frame<Content extends NodeContent> {
  readonly entries: readonly MemoryWalkEntry<Content>[];
  next: number;
}

function frameOf<Content extends NodeContent>(
  directory: MemoryDirectory<Content>,
  path: VirtualPath,
): Frame<Content> {
  if (directory.walked?.path !== path) directory.walked = walkedAt(directory, path);
  return { entries: directory.walked.entries, next: 0 };
}

function walkedAt<Content extends NodeContent>(
  directory: MemoryDirectory<Content>,
  path: VirtualPath,
): MemoryWalked<Content> {
  const entries: MemoryWalkEntry<Content>[] = [];
  directory.children.forEach((child, name) => {
    entries.push(new MemoryWalkEntry(joinPath(path, name), name, child));
  });
  return { path, entries: inWalkOrder(entries) };
}

export class MemoryWalkEntry<Content extends NodeContent> implements WalkEntry {
  readonly path: VirtualPath;
  readonly name: string;
  readonly kind: MemoryNode["kind"];
  readonly node: MemoryNode<Content>;
  #match: GlobMatch | undefined;

  constructor(path: VirtualPath, name: string, node: MemoryNode<Content>) {
    this.path = path;
    this.name = name;
    this.kind = node.kind;
    this.node = node;
  }

  match(): GlobMatch {
    this.#match ??= globMatch(this.path, this.kind);
    return this.#match;
  }

  load(maxBytes: number): MaybePromise<FileContent | undefined> {
    if (this.node.kind !== "file" || this.node.content.sizeBytes > maxBytes) return undefined;
    return this.node.content.load();
  }
}
