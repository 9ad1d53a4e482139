/** The metadata of one file. Its content is in the filesystem. */
export interface VfsFile {
  /** The key of its workspace section. */
  readonly workspace: string;
  readonly path: string;
  /** 0 when mounted. Each change adds 1. */
  readonly version: number;
  readonly sizeBytes: number;
  /** The prompt that last changed it, as `ns/key`; `mount` for version 0. */
  readonly lastWriter: string;
  /** The tool that last changed it; empty for version 0. */
  readonly tool: string;
  /** The call that last changed it; empty for version 0. */
  readonly toolCallId: string;
}

/**
 * Files in the order of workspace and path, as a B-tree of plain data. Versions share their nodes, so a change costs
 * the same in every workspace.
 */
export type FileNode =
  | { readonly files: readonly VfsFile[] }
  | { readonly nodes: readonly FileNode[] };

type Key = Pick<VfsFile, "workspace" | "path">;

/** Small, because a change copies a whole node, and the entries of a large tree are not in the processor's cache. */
const MAX_ENTRIES = 16;

export const NO_FILES: FileNode = { files: [] };

/** Builds a tree. A later file replaces an earlier one with the same key. */
export function treeOf(files: Iterable<VfsFile>): FileNode {
  const sorted = [...files].sort(compare);
  const unique = sorted.filter((file, index) => {
    const next = sorted[index + 1];
    return next === undefined || compare(file, next) !== 0;
  });
  let level: FileNode[] = pieces(unique).map((piece) => ({ files: piece }));
  while (level.length > 1) level = pieces(level).map((piece) => ({ nodes: piece }));
  return level[0] ?? NO_FILES;
}

export function findFile(node: FileNode, key: Key): VfsFile | undefined {
  if ("nodes" in node) {
    const child = node.nodes[childIndex(node.nodes, key)];
    return child && findFile(child, key);
  }
  const found = node.files[lowerBound(node.files, key)];
  return found !== undefined && compare(found, key) === 0 ? found : undefined;
}

export function putFile(root: FileNode, file: VfsFile): FileNode {
  const [first = NO_FILES, ...rest] = put(root, file);
  return rest.length === 0 ? first : { nodes: [first, ...rest] };
}

export function removeFile(root: FileNode, key: Key): FileNode {
  return remove(root, key) ?? NO_FILES;
}

/** The file at a path and all files below it. */
export function filesAt(root: FileNode, { workspace, path }: Key): readonly VfsFile[] {
  const file = findFile(root, { workspace, path });
  const below: VfsFile[] = [];
  const prefix = `${path}/`;
  for (const each of filesFrom(root, { workspace, path: prefix })) {
    if (each.workspace !== workspace || !each.path.startsWith(prefix)) break;
    below.push(each);
  }
  return file === undefined ? below : [file, ...below];
}

/** Every file, in order. */
export function* filesIn(node: FileNode): Generator<VfsFile, void, void> {
  if ("files" in node) yield* node.files;
  else for (const child of node.nodes) yield* filesIn(child);
}

function* filesFrom(node: FileNode, key: Key): Generator<VfsFile, void, void> {
  if ("files" in node) {
    yield* node.files.slice(lowerBound(node.files, key));
    return;
  }
  const start = childIndex(node.nodes, key);
  for (const [index, child] of node.nodes.slice(start).entries())
    yield* index === 0 ? filesFrom(child, key) : filesIn(child);
}

function put(node: FileNode, file: VfsFile): readonly FileNode[] {
  if ("files" in node) {
    const index = lowerBound(node.files, file);
    const found = node.files[index];
    const isKnown = found !== undefined && compare(found, file) === 0;
    return halves(node.files.toSpliced(index, isKnown ? 1 : 0, file)).map((files) => ({ files }));
  }
  const index = childIndex(node.nodes, file);
  const child = node.nodes[index] ?? NO_FILES;
  return halves(node.nodes.toSpliced(index, 1, ...put(child, file))).map((nodes) => ({ nodes }));
}

function remove(node: FileNode, key: Key): FileNode | undefined {
  if ("files" in node) {
    const index = lowerBound(node.files, key);
    const found = node.files[index];
    if (found === undefined || compare(found, key) !== 0) return node;
    return node.files.length === 1 ? undefined : { files: node.files.toSpliced(index, 1) };
  }
  const index = childIndex(node.nodes, key);
  const child = node.nodes[index];
  const next = child && remove(child, key);
  if (next === child) return node;
  const nodes = node.nodes.toSpliced(index, 1, ...(next === undefined ? [] : [next]));
  return nodes.length <= 1 ? nodes[0] : { nodes };
}

/** The last child that starts at or before the key, or the first one. */
function childIndex(nodes: readonly FileNode[], key: Key): number {
  let low = 1;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // `middle` is below the length, and no node is empty except the root.
    if (compare(firstOf(nodes[middle] as FileNode), key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function firstOf(node: FileNode): VfsFile {
  let each = node;
  while ("nodes" in each) each = each.nodes[0] as FileNode;
  return each.files[0] as VfsFile;
}

/** The index of the first file at or after the key. */
function lowerBound(files: readonly VfsFile[], key: Key): number {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(files[middle] as VfsFile, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(a: Key, b: Key): number {
  if (a.workspace !== b.workspace) return a.workspace < b.workspace ? -1 : 1;
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}

function halves<T>(entries: readonly T[]): readonly (readonly T[])[] {
  if (entries.length <= MAX_ENTRIES) return [entries];
  const middle = entries.length >>> 1;
  return [entries.slice(0, middle), entries.slice(middle)];
}

/** Pieces with room for more entries. */
function pieces<T>(entries: readonly T[]): T[][] {
  const size = (MAX_ENTRIES * 3) >>> 2;
  const all: T[][] = [];
  for (let start = 0; start < entries.length; start += size)
    all.push(entries.slice(start, start + size));
  return all;
}
