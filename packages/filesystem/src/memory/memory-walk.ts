import type { WalkEntry } from "../driver.js";
import type { FileContent } from "../file-content.js";
import { joinPath, type VirtualPath } from "../virtual-path.js";
import type { MemoryDirectory, MemoryNode } from "./memory-node.js";

/** Everything below `directory`, parents first. The caller keeps the version it walks. */
export function* walkMemory(
  directory: MemoryDirectory,
  base: VirtualPath,
  enter: (path: VirtualPath) => boolean,
): Generator<WalkEntry, void, void> {
  const waiting: [MemoryDirectory, VirtualPath][] = [[directory, base]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [current, path] = next;
    const below: [MemoryDirectory, VirtualPath][] = [];
    const entries: MemoryWalkEntry[] = [];
    current.children.forEach((child, name) => {
      const childPath = joinPath(path, name);
      entries.push(new MemoryWalkEntry(childPath, child));
      if (child.kind === "directory" && enter(childPath)) below.push([child, childPath]);
    });
    yield* entries;
    // Taken from the end, so the first directory must come last.
    for (const pair of below.reverse()) waiting.push(pair);
  }
}

class MemoryWalkEntry implements WalkEntry {
  readonly path: VirtualPath;
  readonly #node: MemoryNode;

  constructor(path: VirtualPath, node: MemoryNode) {
    this.path = path;
    this.#node = node;
  }

  get kind(): MemoryNode["kind"] {
    return this.#node.kind;
  }

  load(maxBytes: number): FileContent | undefined {
    if (this.#node.kind !== "file" || this.#node.content.sizeBytes > maxBytes) return undefined;
    return this.#node.content;
  }
}
