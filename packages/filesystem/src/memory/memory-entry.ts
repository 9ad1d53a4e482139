import type { FileContent } from "../content/file-content.js";
import { joinPath, type VirtualPath } from "../path/virtual-path.js";
import { isPromise } from "../protocol/maybe-promise.js";
import type { TreeEntry } from "../snapshots/tree-view.js";
import type { MemoryDirectory, MemoryNode, NodeContent } from "./memory-node.js";

/** Returns the id by which a content is compared. */
export type IdOf<Content extends NodeContent = FileContent> = (content: Content) => string;

export const byRevision = ({ revision }: NodeContent): string => revision;

/** Everything in a directory. Each directory comes before its contents. */
export function* entriesBelow<Content extends NodeContent>(
  directory: MemoryDirectory<Content>,
  path: VirtualPath,
  idOf: IdOf<Content>,
): Generator<TreeEntry, void, void> {
  const children: [MemoryNode<Content>, VirtualPath][] = [];
  directory.children.forEach((child, name) => {
    children.push([child, joinPath(path, name)]);
  });
  for (const [child, childPath] of children) {
    yield entryOf(childPath, child, idOf);
    if (child.kind === "directory") yield* entriesBelow(child, childPath, idOf);
  }
}

export function entryOf<Content extends NodeContent>(
  path: VirtualPath,
  node: MemoryNode<Content>,
  idOf: IdOf<Content>,
): TreeEntry {
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
    read() {
      const loading = content.load();
      return isPromise(loading) ? loading.then((loaded) => loaded.bytes()) : loading.bytes();
    },
  };
}
