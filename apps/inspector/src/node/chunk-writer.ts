import { gzipSync } from "node:zlib";
import { type JsonDelta, jsonDelta } from "../model/json-delta.js";
import type { Segment, SegmentContent } from "../source/page-format.js";

/** A chunk is decoded as a whole, so it is small. */
const CHUNK_CHARACTERS = 300_000;

/** Collects the data elements of an exported page. */
export class ChunkWriter {
  readonly #elements: string[] = [];
  #count = 0;

  /** Adds a chunk of JSON. Returns its number. */
  json(value: unknown): number {
    return this.bytes(Buffer.from(JSON.stringify(value)));
  }

  /** Adds a chunk of bytes. Returns its number. */
  bytes(content: Uint8Array): number {
    this.#add(`${this.#count}`, content);
    return this.#count++;
  }

  /** The elements, with the manifest as the last one. */
  finish(manifest: object): string {
    this.#add("manifest", Buffer.from(JSON.stringify(manifest)));
    return this.#elements.join("\n");
  }

  #add(name: string, content: Uint8Array): void {
    // Base64 has no character that could end the element.
    const text = gzipSync(content, { level: 9 }).toString("base64");
    this.#elements.push(`<script type="text/plain" data-wink="${name}">${text}</script>`);
  }
}

/** Writes a value that changes with events as segments: a whole value, then changes until these are as large as it. */
export class SegmentWriter {
  readonly segments: Segment[] = [];
  readonly #writer: ChunkWriter;
  #open: { from: number; value: unknown; changes: (readonly [number, JsonDelta])[] } | undefined;
  #last: unknown;
  #room = 0;

  constructor(writer: ChunkWriter) {
    this.#writer = writer;
  }

  /** The value after an event. Parts that it shares with the value before are not compared. */
  add(sequence: number, value: unknown): void {
    const delta = this.#open === undefined ? undefined : jsonDelta(this.#last, value);
    if (this.#open !== undefined && delta === undefined) return;
    this.change(sequence, delta, () => value);
    this.#last = value;
  }

  /** A known change. `whole` returns the value after it. */
  change(sequence: number, delta: JsonDelta | undefined, whole: () => unknown): void {
    const size = delta === undefined ? 0 : JSON.stringify(delta).length;
    if (this.#open === undefined || delta === undefined || size > this.#room) {
      this.end();
      const value = whole();
      this.#open = { from: sequence, value, changes: [] };
      this.#room = Math.max(CHUNK_CHARACTERS, JSON.stringify(value)?.length ?? 0);
      return;
    }
    this.#open.changes.push([sequence, delta]);
    this.#room -= size;
  }

  /** Writes the last segment. */
  end(): readonly Segment[] {
    if (this.#open === undefined) return this.segments;
    const { from, value, changes } = this.#open;
    const content: SegmentContent = { value, changes };
    this.segments.push({ from, chunk: this.#writer.json(content) });
    this.#open = undefined;
    return this.segments;
  }
}

/** Writes items in chunks of a limited size. */
export function writeLists<T>(
  writer: ChunkWriter,
  items: Iterable<T>,
  onChunk: (chunk: number, list: readonly T[]) => void,
  maxCharacters = CHUNK_CHARACTERS,
): void {
  let [list, size]: [T[], number] = [[], 0];
  const flush = () => {
    if (list.length > 0) onChunk(writer.json(list), list);
    [list, size] = [[], 0];
  };
  for (const item of items) {
    list.push(item);
    size += JSON.stringify(item)?.length ?? 4;
    if (size > maxCharacters) flush();
  }
  flush();
}
