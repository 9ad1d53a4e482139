import { type BlobRef, type Head, StoreError } from "@wink/store";
import { MemoryTree, type MemoryVersion } from "../memory/memory-tree.js";
import type { ContentCache } from "./content-cache.js";
import {
  type DecodedState,
  decodeIndex,
  decodeRows,
  decodeState,
  EMPTY_STATE,
  type FilesState,
  mergeChanges,
  sortedRows,
} from "./files-state.js";
import { type Chunk, decodeChunk } from "./manifest.js";
import { applyRows, isGone, type NodeRow, putRow, type Row } from "./node-row.js";
import type { StoredContent } from "./stored-content.js";

export type StoredVersion = MemoryVersion<StoredContent>;

/** Reads the state of a head, with the deltas that were added since it was written. */
export async function loadState(
  head: Pick<Head, "read">,
  state: Uint8Array | undefined,
  deltas: readonly Uint8Array[],
): Promise<FilesState> {
  const rows = deltas.flatMap(decodeRows);
  if (state === undefined) return { ...EMPTY_STATE, changes: mergeChanges(new Map(), rows) };
  return await completeState(head, decodeState(state), rows);
}

/** Reads the list of the chunks, if it is stored apart. */
export async function completeState(
  head: Pick<Head, "read">,
  { chunks, index, changes }: DecodedState,
  later: readonly Row[] = [],
): Promise<FilesState> {
  const all = mergeChanges(new Map(), [...changes, ...later]);
  if (index === undefined) return { chunks, index, changes: all };
  const list = (await head.read([index])).get(index) as Uint8Array;
  return { chunks: decodeIndex(list), index, changes: all };
}

/** Makes the tree of a state. Contents are not read. */
export async function loadTree(
  head: Pick<Head, "read">,
  { chunks, changes }: FilesState,
  cache: ContentCache,
  nowMs: number,
): Promise<MemoryTree<StoredContent>> {
  const tree = new MemoryTree<StoredContent>(nowMs);
  const contents = await head.read(chunks.map(({ ref }) => ref));
  for (const chunk of chunks)
    for (const row of rowsOf(contents, chunk)) {
      // A changed directory must exist before its contents.
      const current = changes.get(row[0]) ?? row;
      if (!isGone(current)) putRow(tree, current, cache);
    }
  applyRows(tree, sortedRows(changes), cache);
  return tree;
}

/**
 * Makes the tree of a state from the tree of another one, so that both share what is equal. Reads only the chunks that
 * differ.
 */
export async function deriveVersion(
  head: Pick<Head, "read">,
  from: { readonly version: StoredVersion; readonly state: FilesState },
  to: FilesState,
  cache: ContentCache,
): Promise<StoredVersion> {
  const tree = new MemoryTree<StoredContent>(0);
  tree.switchTo(from.version);
  const rows = await differingRows(head, from.state, to);
  applyRows(tree, rows, cache);
  return tree.keep();
}

async function differingRows(
  head: Pick<Head, "read">,
  from: FilesState,
  to: FilesState,
): Promise<readonly Row[]> {
  const changed = [...from.changes, ...to.changes]
    .map(([key]) => key)
    .filter((key) => JSON.stringify(from.changes.get(key)) !== JSON.stringify(to.changes.get(key)));
  const refsOf = (chunks: readonly Chunk[]) => new Set(chunks.map(({ ref }) => ref));
  const [mine, theirs] = [refsOf(from.chunks), refsOf(to.chunks)];
  const touched = new Set(
    changed.flatMap((key) => [chunkOf(from.chunks, key)?.ref, chunkOf(to.chunks, key)?.ref]),
  );
  const isNeeded = ({ ref }: Chunk) => touched.has(ref) || !(mine.has(ref) && theirs.has(ref));
  const [before, after] = [from.chunks.filter(isNeeded), to.chunks.filter(isNeeded)];
  const contents = await head.read([...before, ...after].map(({ ref }) => ref));
  const rowsBefore = effective(contents, before, from.changes);
  const rowsAfter = effective(contents, after, to.changes);
  const rows: Row[] = [];
  for (const [key, row] of rowsAfter)
    if (JSON.stringify(row) !== JSON.stringify(rowsBefore.get(key))) rows.push(row);
  for (const key of rowsBefore.keys()) if (!rowsAfter.has(key)) rows.push([key]);
  return rows.sort(([a], [b]) => (a < b ? -1 : 1));
}

function chunkOf(chunks: readonly Chunk[], key: string): Chunk | undefined {
  return chunks.findLast(({ first }) => first <= key);
}

function effective(
  contents: ReadonlyMap<BlobRef, Uint8Array>,
  chunks: readonly Chunk[],
  changes: ReadonlyMap<string, Row>,
): ReadonlyMap<string, NodeRow> {
  const rows = new Map<string, NodeRow>();
  for (const chunk of chunks) for (const row of rowsOf(contents, chunk)) rows.set(row[0], row);
  for (const [key, row] of changes)
    if (isGone(row)) rows.delete(key);
    else rows.set(key, row);
  return rows;
}

export function rowsOf(
  contents: ReadonlyMap<BlobRef, Uint8Array>,
  { ref }: Chunk,
): readonly NodeRow[] {
  const bytes = contents.get(ref);
  if (bytes === undefined) throw new StoreError("MISSING_BLOB", "manifest");
  return decodeChunk(bytes);
}
