import { closeSync, openSync, readdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { inflateSync } from "node:zlib";
import { readUpTo } from "../driver/read-file.js";
import { tolerating } from "../process/from-node-error.js";
import {
  makeDirectories,
  readIfThere,
  removeIfThere,
  replaceFile,
  sizeIfThere,
  syncDirectory,
} from "../process/store-io.js";
import { blobParts, blobSize, HEADER_BYTES } from "./large-blob.js";
import { LooseWriter } from "./loose-writer.js";
import {
  type ObjectFormat,
  type ObjectType,
  objectHeader,
  objectId,
  type StoredObject,
} from "./object-format.js";
import { zlibStream } from "./zlib-stream.js";

/** git's own mode for objects: read-only. */
const OBJECT_MODE = 0o444;
/** The content of an object with a larger file may be too large for memory. */
const LARGE_OBJECT_BYTES = 256 * 1024;

export interface LooseObjectsOptions {
  readonly format: ObjectFormat;
  readonly fsync: boolean;
  /** @default accessible only to this user */
  readonly directoryMode?: number | undefined;
}

/** Objects in separate files, in folders named by the first two digits of their IDs. */
export class LooseObjects {
  readonly #directory: string;
  readonly #format: ObjectFormat;
  readonly #fsync: boolean;
  readonly #directoryMode: number | undefined;

  constructor(directory: string, { format, fsync, directoryMode }: LooseObjectsOptions) {
    this.#directory = directory;
    this.#format = format;
    this.#fsync = fsync;
    this.#directoryMode = directoryMode;
  }

  pathOf(id: string): string {
    return `${this.#directory}/${id.slice(0, 2)}/${id.slice(2)}`;
  }

  /** A power cut can leave an empty file. It does not count as an object. */
  has(id: string): boolean {
    return (this.sizeBytes(id) ?? 0) > 0;
  }

  /** The size of the object on disk. */
  sizeBytes(id: string): number | undefined {
    return sizeIfThere(this.pathOf(id));
  }

  write(id: string, type: ObjectType, content: Uint8Array): void {
    const whole = Buffer.concat([objectHeader(type, content.length), content]);
    const directoryMode = this.#directoryMode;
    const options = { fsync: this.#fsync, mode: OBJECT_MODE, directoryMode };
    replaceFile(this.pathOf(id), [zlibStream(whole)], options);
  }

  /**
   * The size of the content of a blob whose file is large. `undefined` for other objects, which are read as a whole.
   */
  largeBytes(id: string): number | undefined {
    const path = this.pathOf(id);
    if ((sizeIfThere(path) ?? 0) < LARGE_OBJECT_BYTES) return undefined;
    const fd = openSync(path, "r");
    try {
      return blobSize(readUpTo(fd, 0, HEADER_BYTES));
    } finally {
      closeSync(fd);
    }
  }

  /** The content of a blob in parts. Throws after the last part if it is damaged. */
  parts(id: string): AsyncIterable<Uint8Array> {
    return blobParts(this.pathOf(id), this.#format, id);
  }

  /** Writes content that is too large for memory. Each step writes one piece; the last step returns the ID. */
  *writePieces(
    sizeBytes: number,
    pieces: Iterable<Uint8Array>,
  ): Generator<undefined, string, undefined> {
    const writer = this.#startWriter(sizeBytes);
    try {
      for (const piece of pieces) {
        writer.add(piece);
        yield;
      }
      return this.#finish(writer);
    } finally {
      writer.discard();
    }
  }

  /** Does the same with parts that may be asynchronous. */
  async writeParts(
    sizeBytes: number,
    parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<string> {
    const writer = this.#startWriter(sizeBytes);
    try {
      for await (const part of parts) writer.add(part);
      return this.#finish(writer);
    } finally {
      writer.discard();
    }
  }

  #startWriter(sizeBytes: number): LooseWriter {
    const [format, fsync] = [this.#format, this.#fsync];
    return new LooseWriter(this.#directory, { format, fsync, sizeBytes, mode: OBJECT_MODE });
  }

  #finish(writer: LooseWriter): string {
    const id = writer.finish();
    this.#adopt(writer.temporary, this.pathOf(id));
    return id;
  }

  /** Returns the object, or `undefined` if it is missing or its file is damaged. */
  read(id: string): StoredObject | undefined {
    const file = readIfThere(this.pathOf(id));
    if (file === undefined || file.length === 0) return undefined;
    const parsed = parse(file);
    if (parsed === undefined) return undefined;
    return objectId(this.#format, parsed.type, parsed.content) === id ? parsed : undefined;
  }

  remove(id: string): void {
    removeIfThere(this.pathOf(id));
  }

  *ids(): Generator<string, void, void> {
    for (const prefix of names(this.#directory)) {
      if (!/^[0-9a-f]{2}$/.test(prefix)) continue;
      for (const rest of names(`${this.#directory}/${prefix}`))
        if (rest.length === this.#format.idBytes * 2 - 2) yield prefix + rest;
    }
  }

  #adopt(temporary: string, path: string): void {
    makeDirectories(dirname(path), this.#directoryMode);
    renameSync(temporary, path);
    if (this.#fsync) syncDirectory(dirname(path));
  }
}

function names(directory: string): readonly string[] {
  return tolerating(["ENOENT", "ENOTDIR"], () => readdirSync(directory), []);
}

function parse(file: Buffer): StoredObject | undefined {
  try {
    const whole = inflateSync(file);
    const end = whole.indexOf(0);
    const [type, size] = whole.toString("latin1", 0, end).split(" ");
    const content = whole.subarray(end + 1);
    if (type !== "blob" && type !== "tree" && type !== "commit") return undefined;
    return Number(size) === content.length ? { type, content } : undefined;
  } catch {
    return undefined;
  }
}
