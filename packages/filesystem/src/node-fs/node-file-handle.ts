import { Readable, Writable } from "node:stream";
import type { Filesystem } from "../protocol/filesystem.js";
import { isView, type Place, placeOf, positionOf, sliceOf } from "./byte-place.js";
import {
  bytesOf,
  type EncodingOption,
  encodingOf,
  type NodeData,
  toBytes,
  toDate,
} from "./node-content.js";
import { NodeError, toNodeError } from "./node-error.js";
import { NodeStats } from "./node-stats.js";
import type { OpenFlags } from "./open-flags.js";

const DEFAULT_READ_BYTES = 16_384;

/** The first number of a handle, as on a disk, where 0 to 2 are taken. */
const FIRST_DESCRIPTOR = 3;

/**
 * A file handle. It holds a path: after the file is moved, its calls fail with `ENOENT`.
 *
 * A write at the end appends. Any other positional write stores the whole file again.
 */
export class NodeFileHandle implements AsyncDisposable {
  readonly fd: number;
  readonly #files: Filesystem;
  readonly #path: string;
  readonly #flags: OpenFlags;
  /** Calls of one handle are serialised, because a positional write reads and writes the file. */
  #last: Promise<unknown> = Promise.resolve();
  #position = 0;
  #closed = false;

  constructor(files: Filesystem, path: string, flags: OpenFlags, number: number) {
    this.#files = files;
    this.#path = path;
    this.#flags = flags;
    this.fd = FIRST_DESCRIPTOR + number;
  }

  appendFile(data: NodeData, options?: EncodingOption): Promise<void> {
    return this.#writing(async () => {
      await this.#append(await bytesOf(data, encodingOf(options)));
    });
  }

  chmod(mode: number): Promise<void> {
    return this.#call("fchmod", () => this.#files.chmod(this.#path, mode & 0o777));
  }

  chown(): Promise<void> {
    return this.#call("fchown", () => {
      throw this.#error("EPERM", "operation not permitted", "fchown");
    });
  }

  datasync(): Promise<void> {
    return this.#call("fdatasync", async () => undefined);
  }

  sync(): Promise<void> {
    return this.#call("fsync", async () => undefined);
  }

  async read(
    view: NodeJS.ArrayBufferView | (Place & { readonly buffer?: NodeJS.ArrayBufferView }) = {},
    offset?: number | Place | null,
    length?: number | null,
    position?: number | bigint | null,
  ): Promise<{ bytesRead: number; buffer: NodeJS.ArrayBufferView }> {
    const [buffer, place] = isView(view)
      ? [view, placeOf(offset, length, position)]
      : [view.buffer ?? Buffer.alloc(DEFAULT_READ_BYTES), view];
    const target = sliceOf(buffer, place);
    return await this.#reading(async () => {
      const bytes = await this.#bytesAt(place.position, target.length);
      target.set(bytes);
      return { bytesRead: bytes.length, buffer };
    });
  }

  readv<View extends NodeJS.ArrayBufferView>(buffers: readonly View[], position?: number | null) {
    return this.#reading(async () => {
      const total = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const bytes = await this.#bytesAt(position, total);
      let start = 0;
      for (const buffer of buffers) {
        toBytes(buffer).set(bytes.subarray(start, start + buffer.byteLength));
        start += buffer.byteLength;
      }
      return { bytesRead: bytes.length, buffers };
    });
  }

  readFile(options?: EncodingOption): Promise<string | Buffer> {
    return this.#reading(async () => {
      const bytes = await this.#bytesAt(undefined, Number.POSITIVE_INFINITY);
      const encoding = encodingOf(options);
      return encoding === undefined ? bytes : bytes.toString(encoding);
    });
  }

  async *readLines(options?: { readonly encoding?: BufferEncoding }): AsyncIterable<string> {
    const text = String(await this.readFile(options?.encoding ?? "utf8"));
    const lines = text.split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    yield* lines;
  }

  stat(): Promise<NodeStats> {
    return this.#call("fstat", async () => new NodeStats(await this.#files.stat(this.#path)));
  }

  truncate(length = 0): Promise<void> {
    return this.#writing(async () => {
      const bytes = await this.#all();
      const next = Buffer.alloc(Math.max(0, length));
      next.set(bytes.subarray(0, next.length));
      await this.#files.writeBytes(this.#path, next);
    });
  }

  utimes(_: unknown, modifiedAt: number | string | Date): Promise<void> {
    return this.#call("futimes", () => this.#files.utimes(this.#path, toDate(modifiedAt)));
  }

  write(
    data: string | NodeJS.ArrayBufferView,
    offsetOrPosition?: number | Place | null,
    lengthOrEncoding?: number | BufferEncoding | null,
    position?: number | null,
  ) {
    return this.#writing(async () => {
      const [bytes, at] = this.#chunkOf(data, offsetOrPosition, lengthOrEncoding, position);
      await this.#put(bytes, at);
      return { bytesWritten: bytes.length, buffer: data };
    });
  }

  writev<View extends NodeJS.ArrayBufferView>(buffers: readonly View[], position?: number | null) {
    return this.#writing(async () => {
      const bytes = Buffer.concat(buffers.map((buffer) => toBytes(buffer)));
      await this.#put(bytes, position);
      return { bytesWritten: bytes.length, buffers };
    });
  }

  writeFile(data: NodeData, options?: EncodingOption): Promise<void> {
    return this.#writing(async () => {
      await this.#put(await bytesOf(data, encodingOf(options)), undefined);
    });
  }

  createReadStream({ start = 0, end }: { start?: number; end?: number } = {}): Readable {
    const handle = this;
    async function* chunks() {
      let at = start;
      while (end === undefined || at <= end) {
        const length = Math.min(DEFAULT_READ_BYTES, (end ?? Number.POSITIVE_INFINITY) - at + 1);
        const buffer = Buffer.alloc(length);
        const { bytesRead } = await handle.read(buffer, 0, length, at);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
        at += bytesRead;
      }
    }
    return Readable.from(chunks(), { objectMode: false }).once("end", () => void handle.close());
  }

  createWriteStream({
    start,
  }: {
    start?: number;
  } = {}): Writable & { close(done?: () => void): void } {
    let position = start;
    const stream = new Writable({
      decodeStrings: true,
      write: (chunk: Buffer, _, done) => {
        this.write(chunk, 0, chunk.length, position).then(() => done(), done);
        if (position !== undefined) position += chunk.length;
      },
      final: (done) => {
        this.close().then(() => done(), done);
      },
    });
    return Object.assign(stream, { close: (done?: () => void) => void stream.end(done) });
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    this.#closed = true;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #chunkOf(
    data: string | NodeJS.ArrayBufferView,
    second: number | Place | null | undefined,
    third: number | BufferEncoding | null | undefined,
    fourth: number | null | undefined,
  ): [Buffer, Place["position"]] {
    if (typeof data === "string") {
      const encoding = typeof third === "string" ? third : undefined;
      return [toBytes(data, encoding), typeof second === "number" ? second : undefined];
    }
    const place = placeOf(second, typeof third === "number" ? third : undefined, fourth);
    return [sliceOf(data, place), place.position];
  }

  /** The bytes at `position`. Without one, reads at the handle's position and advances it. */
  async #bytesAt(position: Place["position"], length: number): Promise<Buffer> {
    const offset = positionOf(position) ?? this.#position;
    const limit = Math.min(length, this.#files.limits.maxReadBytes);
    const chunks: Buffer[] = [];
    for (let done = 0; done < length; ) {
      const { content } = await this.#files.readBytes(this.#path, {
        offset: offset + done,
        limit: Math.min(limit, length - done),
      });
      if (content.length === 0) break;
      chunks.push(Buffer.from(content.buffer, content.byteOffset, content.length));
      done += content.length;
    }
    const bytes = Buffer.concat(chunks);
    if (positionOf(position) === undefined) this.#position += bytes.length;
    return bytes;
  }

  async #put(bytes: Buffer, position: Place["position"]): Promise<void> {
    if (this.#flags.appends) {
      await this.#append(bytes);
      return;
    }
    const at = positionOf(position) ?? this.#position;
    const { sizeBytes } = await this.#files.stat(this.#path);
    if (at === sizeBytes) await this.#append(bytes);
    else {
      const before = await this.#all();
      const next = Buffer.alloc(Math.max(before.length, at + bytes.length));
      next.set(before);
      next.set(bytes, at);
      await this.#files.writeBytes(this.#path, next);
    }
    if (positionOf(position) === undefined) this.#position = at + bytes.length;
  }

  async #append(bytes: Buffer): Promise<void> {
    await this.#files.writeBytes(this.#path, bytes, { mode: "append", createParents: false });
  }

  async #all(): Promise<Buffer> {
    return await this.#bytesAt(0, Number.POSITIVE_INFINITY);
  }

  #reading<Result>(body: () => Promise<Result>): Promise<Result> {
    return this.#call("read", () => {
      if (!this.#flags.reads) throw this.#error("EBADF", "bad file descriptor", "read");
      return body();
    });
  }

  #writing<Result>(body: () => Promise<Result>): Promise<Result> {
    return this.#call("write", () => {
      if (!this.#flags.writes) throw this.#error("EBADF", "bad file descriptor", "write");
      return body();
    });
  }

  async #call<Result>(operation: string, body: () => Promise<Result>): Promise<Result> {
    const run = async () => {
      if (this.#closed) throw this.#error("EBADF", "file closed", operation);
      try {
        return await body();
      } catch (error) {
        throw toNodeError(error, operation, this.#path);
      }
    };
    const result = this.#last.then(run, run);
    this.#last = result.catch(() => undefined);
    return await result;
  }

  #error(code: string, text: string, operation: string): Error {
    return new NodeError(code, text, { operation, path: this.#path });
  }
}
