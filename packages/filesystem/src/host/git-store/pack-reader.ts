import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { readUpTo } from "../driver/read-file.js";
import {
  type ObjectFormat,
  type ObjectType,
  objectId,
  type StoredObject,
} from "./object-format.js";
import { applyDelta } from "./pack-delta.js";
import { PackIndex } from "./pack-index.js";

const TYPES: ReadonlyMap<number, ObjectType> = new Map([
  [1, "commit"],
  [2, "tree"],
  [3, "blob"],
]);
const OFFSET_DELTA = 6;
const NAMED_DELTA = 7;
const MAX_HEADER_BYTES = 48;

/** Finds the base object of a delta if it is in another pack. */
export type FindBase = (id: string) => StoredObject | undefined;

/** A pack and its index, written by this store or by git. */
export class PackReader {
  readonly index: PackIndex;
  readonly #format: ObjectFormat;
  readonly #path: string;
  #fd: number | undefined;
  #sizeBytes = 0;
  #offsets: readonly number[] | undefined;

  private constructor(path: string, index: PackIndex, format: ObjectFormat) {
    this.#path = path;
    this.index = index;
    this.#format = format;
  }

  /** `base` is the path without the extension. Returns `undefined` if the index is damaged. */
  static open(base: string, format: ObjectFormat): PackReader | undefined {
    const index = PackIndex.parse(format, readFileSync(`${base}.idx`));
    return index && new PackReader(`${base}.pack`, index, format);
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** Returns the object, or `undefined` if it is not in this pack or is damaged. */
  read(id: string, findBase: FindBase): StoredObject | undefined {
    const offset = this.index.find(id);
    if (offset === undefined) return undefined;
    const object = attempt(() => this.#readAt(offset, findBase));
    if (object === undefined) return undefined;
    return objectId(this.#format, object.type, object.content) === id ? object : undefined;
  }

  /** The size of the object in the pack. */
  sizeBytes(id: string): number | undefined {
    const offset = this.index.find(id);
    if (offset === undefined) return undefined;
    this.#open();
    this.#offsets ??= this.#sortedOffsets();
    return (this.#offsets[upperBound(this.#offsets, offset)] ?? this.#sizeBytes) - offset;
  }

  #readAt(offset: number, findBase: FindBase): StoredObject | undefined {
    const head = readUpTo(this.#open(), offset, MAX_HEADER_BYTES);
    let at = 0;
    let byte = head[at++] ?? 0;
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let scale = 16; byte & 0x80; scale *= 128) {
      byte = head[at++] ?? 0;
      size += (byte & 0x7f) * scale;
    }
    if (type === OFFSET_DELTA) {
      const [distance, end] = readDistance(head, at);
      const delta = this.#inflate(offset + end, size);
      return patched(this.#readAt(offset - distance, findBase), delta);
    }
    if (type === NAMED_DELTA) {
      const end = at + this.#format.idBytes;
      const base = Buffer.from(head.subarray(at, end)).toString("hex");
      return patched(findBase(base), this.#inflate(offset + end, size));
    }
    const known = TYPES.get(type);
    return known && { type: known, content: this.#inflate(offset + at, size) };
  }

  #inflate(offset: number, sizeBytes: number): Buffer {
    // The maximum size of a compressed stream for this content.
    const bound = sizeBytes + Math.ceil(sizeBytes / 1000) + 64;
    const length = Math.min(bound, this.#sizeBytes - offset);
    const stream = readUpTo(this.#open(), offset, length);
    const content = inflateSync(stream, { maxOutputLength: Math.max(1, sizeBytes) });
    if (content.length !== sizeBytes) throw new Error("the size of the object is wrong");
    return content;
  }

  #open(): number {
    if (this.#fd === undefined) {
      this.#fd = openSync(this.#path, "r");
      this.#sizeBytes = fstatSync(this.#fd).size - this.#format.idBytes;
    }
    return this.#fd;
  }

  #sortedOffsets(): readonly number[] {
    const offsets = Array.from({ length: this.index.count }, (_, at) => this.index.offsetAt(at));
    return offsets.sort((a, b) => a - b);
  }
}

function patched(base: StoredObject | undefined, delta: Buffer): StoredObject | undefined {
  const content = base && applyDelta(base.content, delta);
  return base && content && { type: base.type, content };
}

function readDistance(head: Uint8Array, start: number): [distance: number, end: number] {
  let at = start;
  let byte = head[at++] ?? 0;
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = head[at++] ?? 0;
    distance = (distance + 1) * 128 + (byte & 0x7f);
  }
  return [distance, at];
}

function upperBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function attempt<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch {
    return undefined;
  }
}
