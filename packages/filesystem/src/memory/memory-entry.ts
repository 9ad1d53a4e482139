import type { FileContent } from "../content/file-content.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import type { TreeEntry } from "../snapshots/tree-view.js";
import type { MemoryDirectory, MemoryNode } from "./memory-node.js";

/** Returns the id by which a content is compared. */
export type IdOf = (content: FileContent) => string;

export const byRevision: IdOf = ({ revision }) => revision;

/** Everything in a directory. Each directory comes before its contents. */
export function* entriesBelow(
  directory: MemoryDirectory,
  path: VirtualPath,
  idOf: IdOf,
): Generator<TreeEntry, void, void> {
  const children: [MemoryNode, VirtualPath][] = [];
  directory.children.forEach((child, name) => {
    children.push([child, joinPath(path, name)]);
  });
  for (const [child, childPath] of children) {
    yield entryOf(childPath, child, idOf);
    if (child.kind === "directory") yield* entriesBelow(child, childPath, idOf);
  }
}

export function entryOf(path: VirtualPath, node: MemoryNode, idOf: IdOf): TreeEntry {
  const { kind, modifiedAtMs } = node;
  if (kind === "directory")
    return {
      path,
      kind,
      executable: false,
      mode: node.mode,
      modifiedAtMs,
      sizeBytes: 0,
      contentId: "",
      read: () => new Uint8Array(),
    };
  if (kind === "symlink") {
    const { target } = node;
    const contentId = `link-${target.join(",")}`;
    return {
      path,
      kind,
      executable: false,
      modifiedAtMs,
      sizeBytes: target.length,
      contentId,
      read: () => target,
    };
  }
  const { content, mode } = node;
  const { sizeBytes } = content;
  return {
    path,
    kind,
    executable: (mode & 0o100) !== 0,
    mode,
    modifiedAtMs,
    sizeBytes,
    // Computed on demand, because it may hash the content.
    get contentId() {
      return idOf(content);
    },
    read: () => content.bytes(),
  };
}
