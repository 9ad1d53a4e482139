import type { BlobRef } from "@wink/store";
import type { MemoryDirectory } from "../memory/memory-node.js";
import { type NodeRow, type PlacedRefs, rowOf } from "./node-row.js";
import type { StoredContent } from "./stored-content.js";
import { nodesBetween } from "./tree-rows.js";

/** On average; a power of two. */
const ROWS_PER_CHUNK = 256;
const MAX_ROWS_PER_CHUNK = 4 * ROWS_PER_CHUNK;

/** A part of a manifest: the rows from a key up to the first key of the next chunk. */
export interface Chunk {
  /** The key of the first row. It is empty for the first chunk. */
  readonly first: string;
  readonly ref: BlobRef;
}

/** A chunk that is not stored yet. */
export interface NewChunk {
  readonly first: string;
  readonly bytes: Uint8Array;
}

/**
 * The chunks of a version that starts with the chunks of another one. Only those with a changed key are made again.
 *
 * Borders depend on the keys alone, so that equal trees have nearly the same chunks, whatever their history.
 *
 * @param changed the keys that may differ, in order
 */
export function rebuildChunks(
  chunks: readonly Chunk[],
  changed: readonly string[],
  root: MemoryDirectory<StoredContent>,
  placed: PlacedRefs,
): readonly (Chunk | NewChunk)[] {
  const made: (Chunk | NewChunk)[] = [];
  let next = 0;
  for (let index = 0; index < Math.max(1, chunks.length); ) {
    const start = index;
    // The keys are in order, so those of this chunk come next.
    const hasChanged = () => {
      const end = chunks[index + 1]?.first;
      const key = changed[next];
      return key !== undefined && (end === undefined || key < end);
    };
    const chunk = chunks[index];
    if (chunk !== undefined && !hasChanged()) {
      made.push(chunk);
      index++;
      continue;
    }
    // If the last row of a chunk is not a border any more, the chunk grows into the next one.
    let rows: NodeRow[];
    do {
      while (hasChanged()) next++;
      index++;
      const first = chunks[start]?.first ?? "";
      rows = [];
      for (const { key, node } of nodesBetween(root, first, chunks[index]?.first))
        rows.push(rowOf(key, node, placed));
    } while (index < chunks.length && !isBorder(rows.at(-1)?.[0] ?? ""));
    made.push(...cut(rows, start === 0));
  }
  return made;
}

export function decodeChunk(bytes: Uint8Array): readonly NodeRow[] {
  // No validation: only `cut` writes these bytes.
  return JSON.parse(new TextDecoder().decode(bytes)) as readonly NodeRow[];
}

function cut(rows: readonly NodeRow[], isFirst: boolean): readonly NewChunk[] {
  const chunks: NewChunk[] = [];
  let open: NodeRow[] = [];
  const close = () => {
    const [row] = open;
    if (row === undefined) return;
    const first = isFirst && chunks.length === 0 ? "" : row[0];
    chunks.push({ first, bytes: new TextEncoder().encode(JSON.stringify(open)) });
    open = [];
  };
  for (const row of rows) {
    open.push(row);
    if (isBorder(row[0]) || open.length === MAX_ROWS_PER_CHUNK) close();
  }
  close();
  return chunks;
}

/** Whether a chunk ends after this key. FNV-1a, whose high bits are better mixed. */
function isBorder(key: string): boolean {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return ((hash >>> 12) ^ (hash & 0xff)) % ROWS_PER_CHUNK === 0;
}
