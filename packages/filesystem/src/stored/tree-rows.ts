import type { MemoryDirectory } from "../memory/memory-node.js";
import { joinPath, ROOT, type VirtualPath } from "../path/virtual-path.js";
import { keyOf, type StoredNode } from "./node-row.js";
import type { StoredContent } from "./stored-content.js";

type Directory = MemoryDirectory<StoredContent>;

/** A node and its key. `undefined`: the node was removed. */
export interface KeyedNode {
  readonly key: string;
  readonly node: StoredNode | undefined;
}

/**
 * The nodes whose keys are from `from` to before `to`, in the order of the keys.
 *
 * @param to `undefined`: up to the last node
 */
export function* nodesBetween(
  root: Directory,
  from: string,
  to: string | undefined,
): Generator<KeyedNode & { readonly node: StoredNode }, void, void> {
  if (from === "") yield { key: "", node: root };
  yield* below(root, ROOT);

  function* below(
    directory: Directory,
    path: VirtualPath,
  ): Generator<KeyedNode & { readonly node: StoredNode }, void, void> {
    const children: { key: string; path: VirtualPath; node: StoredNode }[] = [];
    directory.children.forEach((node, name) => {
      const childPath = joinPath(path, name);
      const key = keyOf(childPath, node.kind);
      // The contents of a directory have keys that start with its key.
      const isBefore = key < from && !(node.kind === "directory" && from.startsWith(key));
      if (!isBefore && (to === undefined || key < to))
        children.push({ key, path: childPath, node });
    });
    children.sort((a, b) => (a.key < b.key ? -1 : 1));
    for (const { key, path: childPath, node } of children) {
      if (key >= from) yield { key, node };
      if (node.kind === "directory") yield* below(node, childPath);
    }
  }
}

/** The nodes that differ between two versions of a tree. Shared parts are skipped. */
export function differingNodes(before: Directory, after: Directory): readonly KeyedNode[] {
  const found: KeyedNode[] = [];
  if (!haveSameAttributes(before, after)) found.push({ key: "", node: after });
  compare(before, after, ROOT);
  return found.sort((a, b) => (a.key < b.key ? -1 : 1));

  function compare(old: Directory, now: Directory, path: VirtualPath): void {
    if (old === now) return;
    old.children.forEachUnlike(now.children, (left, right, name) => {
      const childPath = joinPath(path, name);
      if (left?.kind === "directory" && right?.kind === "directory") {
        if (!haveSameAttributes(left, right))
          found.push({ key: keyOf(childPath, "directory"), node: right });
        compare(left, right, childPath);
        return;
      }
      if (left !== undefined && right !== undefined && isSame(left, right)) return;
      if (left !== undefined && keyOf(childPath, left.kind) !== keyOfMaybe(childPath, right))
        remove(left, childPath);
      if (right !== undefined) add(right, childPath);
    });
  }

  function remove(node: StoredNode, path: VirtualPath): void {
    found.push({ key: keyOf(path, node.kind), node: undefined });
    if (node.kind === "directory")
      node.children.forEach((child, name) => {
        remove(child, joinPath(path, name));
      });
  }

  function add(node: StoredNode, path: VirtualPath): void {
    found.push({ key: keyOf(path, node.kind), node });
    if (node.kind === "directory")
      node.children.forEach((child, name) => {
        add(child, joinPath(path, name));
      });
  }
}

function keyOfMaybe(path: VirtualPath, node: StoredNode | undefined): string | undefined {
  return node && keyOf(path, node.kind);
}

function haveSameAttributes(left: Directory, right: Directory): boolean {
  return (
    left.mode === right.mode &&
    left.modifiedAtMs === right.modifiedAtMs &&
    left.createdAtMs === right.createdAtMs
  );
}

function isSame(left: StoredNode, right: StoredNode): boolean {
  if (left.kind !== "file" || right.kind !== "file") return false;
  return (
    left.content.equals(right.content) &&
    left.mode === right.mode &&
    left.modifiedAtMs === right.modifiedAtMs &&
    left.createdAtMs === right.createdAtMs
  );
}
