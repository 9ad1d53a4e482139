import { closeSync, fsyncSync } from "node:fs";
import { Refusal } from "../process/from-node-error.js";
import { openMaking, removeIfThere, temporaryBeside, writeAll } from "../process/store-io.js";
import { type ObjectFormat, objectHeader, startObjectId } from "./object-format.js";
import { ZlibPieces } from "./zlib-stream.js";

export interface LooseWriterOptions {
  readonly format: ObjectFormat;
  readonly sizeBytes: number;
  readonly mode: number;
  readonly fsync: boolean;
}

/** Writes a blob that is too large for memory to a temporary file in the directory of the objects. */
export class LooseWriter {
  readonly temporary: string;
  readonly #fsync: boolean;
  readonly #hash: ReturnType<typeof startObjectId>;
  readonly #stream = new ZlibPieces();
  #fd: number | undefined;
  #left: number;

  constructor(directory: string, { format, sizeBytes, mode, fsync }: LooseWriterOptions) {
    this.temporary = temporaryBeside(`${directory}/x`);
    this.#fsync = fsync;
    this.#left = sizeBytes;
    this.#hash = startObjectId(format, "blob", sizeBytes);
    this.#fd = openMaking(this.temporary, mode);
    this.#write(this.#stream.start());
    this.#write(this.#stream.piece(objectHeader("blob", sizeBytes)));
  }

  add(piece: Uint8Array): void {
    this.#left -= piece.length;
    this.#hash.update(piece);
    this.#write(this.#stream.piece(piece));
  }

  /** Returns the ID. The caller renames the file. Throws if the content does not have its size. */
  finish(): string {
    if (this.#left !== 0) throw new Refusal("ESTALE");
    this.#write(this.#stream.end());
    if (this.#fsync && this.#fd !== undefined) fsyncSync(this.#fd);
    this.#close();
    return this.#hash.digest("hex");
  }

  /** Removes the temporary file, if it was not renamed. */
  discard(): void {
    this.#close();
    removeIfThere(this.temporary);
  }

  #write(bytes: Uint8Array): void {
    if (this.#fd !== undefined) writeAll(this.#fd, bytes);
  }

  #close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}
