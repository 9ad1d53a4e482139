import { createHash } from "node:crypto";
import { closeSync, fsyncSync, readSync, renameSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import {
  openMaking,
  removeIfThere,
  replaceFile,
  syncDirectory,
  temporaryBeside,
  writeAll,
} from "../process/store-io.js";
import type { ObjectFormat, ObjectType } from "./object-format.js";
import { encodePackIndex, type PackedEntry } from "./pack-index.js";
import { zlibStream } from "./zlib-stream.js";

const TYPE_NUMBERS: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3 };
const HEADER_BYTES = 12;
const BUFFER_BYTES = 1024 * 1024;

/**
 * Writes many objects into one file. This makes a first snapshot fast, because a separate file per object would
 * cost more than all other work.
 *
 * The pack becomes visible only in `finish`, which writes the index last.
 */
export class PackWriter {
  readonly #directory: string;
  readonly #format: ObjectFormat;
  readonly #fsync: boolean;
  readonly #temporary: string;
  readonly #fd: number;
  readonly #entries = new Map<string, PackedEntry>();
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #buffered = HEADER_BYTES;
  #flushedBytes = 0;

  /** `directory` is the `pack` folder of an object database. */
  constructor(directory: string, format: ObjectFormat, fsync: boolean) {
    this.#directory = directory;
    this.#format = format;
    this.#fsync = fsync;
    this.#temporary = temporaryBeside(`${directory}/x`);
    this.#fd = openMaking(this.#temporary, 0o444);
    this.#buffer.fill(0, 0, HEADER_BYTES);
  }

  get count(): number {
    return this.#entries.size;
  }

  get sizeBytes(): number {
    return this.#flushedBytes + this.#buffered;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  add(id: string, type: ObjectType, content: Uint8Array): void {
    if (this.#entries.has(id)) return;
    const offset = this.sizeBytes;
    const head = entryHeader(type, content.length);
    const body = zlibStream(content);
    this.#entries.set(id, { id, offset, crc32: crc32(body, crc32(head)) });
    this.#append(head);
    this.#append(body);
  }

  /** Returns the name of the pack and its objects, or `undefined` if it is empty. */
  finish(): { readonly name: string; readonly entries: readonly PackedEntry[] } | undefined {
    if (this.#entries.size === 0) {
      this.discard();
      return undefined;
    }
    try {
      const entries = [...this.#entries.values()];
      const checksum = this.#seal();
      const name = `pack-${checksum.toString("hex")}`;
      closeSync(this.#fd);
      renameSync(this.#temporary, `${this.#directory}/${name}.pack`);
      const index = encodePackIndex(this.#format, entries, checksum);
      const options = { fsync: this.#fsync, mode: 0o444 };
      replaceFile(`${this.#directory}/${name}.idx`, [index], options);
      if (this.#fsync) syncDirectory(this.#directory);
      return { name, entries };
    } catch (error) {
      removeIfThere(this.#temporary);
      throw error;
    }
  }

  discard(): void {
    closeSync(this.#fd);
    removeIfThere(this.#temporary);
  }

  /** Writes the number of objects into the header, where it is known only now, and the checksum at the end. */
  #seal(): Buffer {
    this.#flush();
    const header = Buffer.alloc(HEADER_BYTES);
    header.write("PACK");
    header.writeUInt32BE(2, 4);
    header.writeUInt32BE(this.#entries.size, 8);
    writeSync(this.#fd, header, 0, HEADER_BYTES, 0);
    const checksum = this.#checksum();
    writeSync(this.#fd, checksum, 0, checksum.length, this.#flushedBytes);
    if (this.#fsync) fsyncSync(this.#fd);
    return checksum;
  }

  #checksum(): Buffer {
    const sum = createHash(this.#format.name);
    for (let at = 0; at < this.#flushedBytes; ) {
      const count = readSync(this.#fd, this.#buffer, 0, BUFFER_BYTES, at);
      if (count === 0) throw new Error("the pack is shorter than the written data");
      sum.update(this.#buffer.subarray(0, count));
      at += count;
    }
    return sum.digest();
  }

  #append(bytes: Uint8Array): void {
    if (this.#buffered + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) {
      writeAll(this.#fd, bytes);
      this.#flushedBytes += bytes.length;
      return;
    }
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
  }

  #flush(): void {
    writeAll(this.#fd, this.#buffer.subarray(0, this.#buffered));
    this.#flushedBytes += this.#buffered;
    this.#buffered = 0;
  }
}

/** Type and size: four bits of the size in the first byte, then seven bits per byte. */
function entryHeader(type: ObjectType, sizeBytes: number): Buffer {
  const bytes: number[] = [];
  let byte = (TYPE_NUMBERS[type] << 4) | (sizeBytes & 15);
  for (let rest = Math.floor(sizeBytes / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  bytes.push(byte);
  return Buffer.from(bytes);
}
