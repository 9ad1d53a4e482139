import type { BlobRef } from "@wink/store";
import {
  MemoryDirectory,
  MemoryFile,
  type MemoryLink,
  type MemoryNode,
} from "../memory/memory-node.js";
import type { MemoryTree } from "../memory/memory-tree.js";
import { ROOT, type VirtualPath } from "../path/virtual-path.js";
import type { ContentCache } from "./content-cache.js";
import { StoredContent } from "./stored-content.js";

type Times = readonly [createdAtMs: number, modifiedAtMs: number];

/** One node in a manifest. The key of a directory ends with a slash, so that its contents follow it. */
export type NodeRow =
  | readonly [key: string, mode: number, ...Times, sizeBytes: number, id: string, ref: string]
  | readonly [key: string, mode: number, ...Times]
  | readonly [key: string, target: string, ...Times];

/** A node that was removed. */
export type GoneRow = readonly [key: string];

export type Row = NodeRow | GoneRow;

export type StoredNode = MemoryNode<StoredContent>;

export function keyOf(path: VirtualPath, kind: StoredNode["kind"]): string {
  return kind === "directory" && path !== ROOT ? `${path}/` : path;
}

export function isGone(row: Row): row is GoneRow {
  return row.length === 1;
}

/** The references of the contents that the next commit stores, by content. */
export type PlacedRefs = ReadonlyMap<string, BlobRef>;

export function rowOf(key: string, node: StoredNode, placed: PlacedRefs): NodeRow {
  const { createdAtMs, modifiedAtMs } = node;
  if (node.kind === "directory") return [key, node.mode, createdAtMs, modifiedAtMs];
  if (node.kind === "symlink") return [key, toBase64(node.target), createdAtMs, modifiedAtMs];
  const { revision, sizeBytes } = node.content;
  // Every content has a reference, or gets one before its row is made.
  const ref = (node.content.ref ?? placed.get(revision)) as BlobRef;
  // Most references contain the hash, which is most of a row.
  return [
    key,
    node.mode,
    createdAtMs,
    modifiedAtMs,
    sizeBytes,
    revision,
    ref.replace(revision, "*"),
  ];
}

export function refOfRow(row: Row): BlobRef | undefined {
  return row.length === 7 ? row[6].replace("*", row[5]) : undefined;
}

/** Puts the node of a row into a tree, in which its directory exists. */
export function putRow(tree: MemoryTree<StoredContent>, row: NodeRow, cache: ContentCache): void {
  const [key, first, createdAtMs, modifiedAtMs] = row;
  // Keys are made from normal paths.
  const path = (key.endsWith("/") ? key.slice(0, -1) : key) as VirtualPath;
  if (row.length === 7) {
    const content = StoredContent.stored(cache, row[5], row[4], refOfRow(row) as BlobRef);
    tree.putNode(path, new MemoryFile(0, content, row[1], createdAtMs, modifiedAtMs));
  } else if (typeof first === "string") {
    const target = fromBase64(first);
    const link: MemoryLink = { kind: "symlink", target, createdAtMs, modifiedAtMs };
    tree.putNode(path, link);
  } else putDirectory(tree, path, first, createdAtMs, modifiedAtMs);
}

function putDirectory(
  tree: MemoryTree<StoredContent>,
  path: VirtualPath,
  mode: number,
  createdAtMs: number,
  modifiedAtMs: number,
): void {
  if (tree.find(path)?.kind !== "directory")
    tree.putNode(path, MemoryDirectory.empty<StoredContent>(0, createdAtMs));
  tree.setDirectory(path, mode, modifiedAtMs, createdAtMs);
}

/** Removes the nodes of deleted rows, and puts the others. `rows` are in the order of their keys. */
export function applyRows(
  tree: MemoryTree<StoredContent>,
  rows: readonly Row[],
  cache: ContentCache,
): void {
  // Contents before their directories, and both before a file that replaces the directory.
  for (const row of rows.toReversed()) {
    const [key] = row;
    const isDirectory = key.endsWith("/");
    const path = (isDirectory ? key.slice(0, -1) : key) as VirtualPath;
    const kind = tree.find(path)?.kind;
    if (isGone(row) && kind !== undefined && (kind === "directory") === isDirectory)
      tree.remove(path, undefined);
  }
  for (const row of rows) if (!isGone(row)) putRow(tree, row, cache);
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
