import type { Stats } from "node:fs";
import { fill } from "../driver/read-file.js";
import { Refusal } from "../process/from-node-error.js";
import type { ObjectDatabase } from "./object-database.js";
import { type ObjectFormat, type ObjectType, objectId, startObjectId } from "./object-format.js";

/** Larger files are read, hashed and compressed piece by piece. */
export const LARGE_FILE_BYTES = 8 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;

/** Computes the object IDs of open files, and stores their content in an object database if `storing` is set. */
export class BlobReader {
  readonly #objects: ObjectDatabase;
  readonly #storing: boolean;
  /** Reused for every file. Grows to the size of the largest file that is read in one call. */
  #scratch = Buffer.alloc(64 * 1024);

  constructor(objects: ObjectDatabase, storing: boolean) {
    this.#objects = objects;
    this.#storing = storing;
  }

  take(type: ObjectType, content: Uint8Array): string {
    if (this.#storing) return this.#objects.put(type, content);
    return objectId(this.#objects.format, type, content);
  }

  /** Returns the blob's ID. If the file grows or shrinks during the read, the bytes that were read are used. */
  *read(fd: number, { size }: Stats): Generator<undefined, string, undefined> {
    if (size > LARGE_FILE_BYTES) return yield* this.#readLarge(fd, size);
    if (size > this.#scratch.length)
      this.#scratch = Buffer.alloc(Math.min(size * 2, LARGE_FILE_BYTES));
    const count = fill(fd, this.#scratch, 0, size);
    return this.take("blob", this.#scratch.subarray(0, count));
  }

  *#readLarge(fd: number, size: number): Generator<undefined, string, undefined> {
    if (!this.#storing) return yield* nameLarge(this.#objects.format, fd, size);
    const id = yield* this.#objects.loose.writePieces(size, pieces(fd, size));
    this.#objects.adopt(id);
    return id;
  }
}

function* nameLarge(
  format: ObjectFormat,
  fd: number,
  size: number,
): Generator<undefined, string, undefined> {
  const hash = startObjectId(format, "blob", size);
  for (const piece of pieces(fd, size)) {
    hash.update(piece);
    yield;
  }
  return hash.digest("hex");
}

/** The size is part of the object's header, so a large file that shrinks during the read is refused. */
export function* pieces(fd: number, size: number): Generator<Uint8Array, void, void> {
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let offset = 0; offset < size; offset += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, size - offset);
    if (fill(fd, piece, offset, length) < length) throw new Refusal("ESTALE");
    yield piece.subarray(0, length);
  }
}
