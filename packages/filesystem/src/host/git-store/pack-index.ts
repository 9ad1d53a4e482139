import { createHash, hash } from "node:crypto";
import type { ObjectFormat } from "./object-format.js";

export interface PackedEntry {
  readonly id: string;
  readonly offset: number;
  readonly crc32: number;
}

const MAGIC = 0xff744f63;
const HEADER_BYTES = 8;
const FANOUT_BYTES = 1024;
const FAR = 0x8000_0000;

/** Encodes a pack index of version 2. `packId` is the checksum at the end of the pack. */
export function encodePackIndex(
  format: ObjectFormat,
  entries: readonly PackedEntry[],
  packId: Buffer,
): Buffer {
  const sorted = [...entries].sort((a, b) => (a.id < b.id ? -1 : 1));
  const count = sorted.length;
  const { idBytes } = format;
  const file = Buffer.alloc(HEADER_BYTES + FANOUT_BYTES + count * (idBytes + 8));
  file.writeUInt32BE(MAGIC, 0);
  file.writeUInt32BE(2, 4);
  const ids = HEADER_BYTES + FANOUT_BYTES;
  const crcs = ids + count * idBytes;
  const offsets = crcs + count * 4;
  sorted.forEach((entry, index) => {
    file.write(entry.id, ids + index * idBytes, "hex");
    file.writeUInt32BE(entry.crc32, crcs + index * 4);
    file.writeUInt32BE(entry.offset, offsets + index * 4);
  });
  fillFanout(file, sorted);
  const checksum = createHash(format.name).update(file).update(packId).digest();
  return Buffer.concat([file, packId, checksum]);
}

function fillFanout(file: Buffer, sorted: readonly PackedEntry[]): void {
  let below = 0;
  for (let first = 0; first < 256; first++) {
    while (
      below < sorted.length &&
      Number.parseInt(sorted[below]?.id.slice(0, 2) ?? "", 16) <= first
    )
      below++;
    file.writeUInt32BE(below, HEADER_BYTES + first * 4);
  }
}

/** Maps object IDs to offsets in a pack. */
export class PackIndex {
  readonly count: number;
  readonly #file: Buffer;
  readonly #idBytes: number;

  private constructor(file: Buffer, idBytes: number, count: number) {
    this.#file = file;
    this.#idBytes = idBytes;
    this.count = count;
  }

  /** Returns `undefined` if the file is damaged or has another version. */
  static parse(format: ObjectFormat, file: Buffer): PackIndex | undefined {
    const { idBytes, name } = format;
    const minBytes = HEADER_BYTES + FANOUT_BYTES + 2 * idBytes;
    if (file.length < minBytes || file.readUInt32BE(0) !== MAGIC || file.readUInt32BE(4) !== 2)
      return undefined;
    const count = file.readUInt32BE(HEADER_BYTES + 255 * 4);
    if (file.length < minBytes + count * (idBytes + 8)) return undefined;
    const end = file.length - idBytes;
    if (hash(name, file.subarray(0, end)) !== file.toString("hex", end)) return undefined;
    return new PackIndex(file, idBytes, count);
  }

  idAt(index: number): string {
    const start = this.#idsAt + index * this.#idBytes;
    return this.#file.toString("hex", start, start + this.#idBytes);
  }

  offsetAt(index: number): number {
    const near = this.#file.readUInt32BE(this.#offsetsAt + index * 4);
    if (near < FAR) return near;
    const far = this.#offsetsAt + this.count * 4 + (near - FAR) * 8;
    return Number(this.#file.readBigUInt64BE(far));
  }

  /** The offset of the object in the pack, or `undefined` if it is not in this pack. */
  find(id: string): number | undefined {
    const index = this.#indexOf(id);
    return index === undefined ? undefined : this.offsetAt(index);
  }

  #indexOf(id: string): number | undefined {
    const first = Number.parseInt(id.slice(0, 2), 16);
    const wanted = Buffer.from(id, "hex");
    let low = first === 0 ? 0 : this.#fanout(first - 1);
    let high = this.#fanout(first);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = this.#idsAt + middle * this.#idBytes;
      const order = wanted.compare(this.#file, start, start + this.#idBytes);
      if (order === 0) return middle;
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return undefined;
  }

  #fanout(first: number): number {
    return this.#file.readUInt32BE(HEADER_BYTES + first * 4);
  }

  get #idsAt(): number {
    return HEADER_BYTES + FANOUT_BYTES;
  }

  get #offsetsAt(): number {
    return this.#idsAt + this.count * (this.#idBytes + 4);
  }
}
