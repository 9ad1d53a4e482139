import { plainBytes } from "../content/bytes.js";
import { TimeSlices } from "../content/time-slices.js";
import type { DriverReader } from "../driver/driver-accelerators.js";
import type { FileReader, OpenReadOptions } from "../protocol/filesystem.js";
import { isPromise } from "../protocol/maybe-promise.js";
import { abortable } from "./abortable.js";
import { findFile } from "./find-node.js";
import { knownError } from "./known-error.js";
import { count } from "./page.js";
import { pinContent } from "./pin-content.js";
import { failure, type Target, type Workspace } from "./workspace.js";

export async function openReader(
  workspace: Workspace,
  target: Target,
  options: OpenReadOptions,
): Promise<FileReader> {
  const offset = count(target, "offset", options.offset) ?? 0;
  const chunkBytes =
    count(target, "chunkBytes", options.chunkBytes) ?? workspace.limits.streamChunkBytes;
  if (chunkBytes === 0) throw failure(target, "EINVAL", "chunkBytes must be at least 1");
  const { path } = await findFile(workspace, target);
  const source = await (workspace.driver.accelerate?.openRead?.(path, options) ??
    pinContent(workspace, { ...target, path }));
  return new DriverFileReader(source, target, offset, chunkBytes, options.signal);
}

class DriverFileReader implements FileReader {
  readonly path: string;
  readonly sizeBytes: number;
  readonly #source: DriverReader;
  readonly #target: Target;
  readonly #chunkBytes: number;
  readonly #signal: AbortSignal | undefined;
  /** Without pauses, reading from memory would block the event loop. */
  readonly #slices = new TimeSlices();
  #position: number;
  #closed = false;

  constructor(
    source: DriverReader,
    target: Target,
    position: number,
    chunkBytes: number,
    signal: AbortSignal | undefined,
  ) {
    this.path = target.path;
    this.sizeBytes = source.sizeBytes;
    this.#source = source;
    this.#target = target;
    this.#position = position;
    this.#chunkBytes = chunkBytes;
    this.#signal = signal;
  }

  get position(): number {
    return this.#position;
  }

  seek(position: number): void {
    this.#requireOpen();
    this.#position = count(this.#target, "position", position) ?? 0;
  }

  async read(length: number = this.#chunkBytes): Promise<Uint8Array> {
    this.#requireOpen();
    this.#signal?.throwIfAborted();
    const wanted = Math.min(
      count(this.#target, "length", length) ?? 0,
      this.sizeBytes - this.#position,
    );
    if (wanted <= 0) return new Uint8Array();
    const start = this.#position;
    // Advanced before the read, so that two concurrent reads do not get the same bytes.
    this.#position += wanted;
    try {
      const reading = this.#source.read(start, wanted);
      const read = isPromise(reading) ? await abortable(reading, this.#signal) : reading;
      const chunk = plainBytes(read);
      if (chunk.length < wanted) throw failure(this.#target, "ESTALE");
      if (this.#slices.isOver()) await this.#slices.pause();
      return chunk;
    } catch (error) {
      throw knownError(error, this.#target, this.#signal);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.#source.close();
    } catch (error) {
      throw knownError(error, this.#target, this.#signal);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    try {
      for (let chunk = await this.read(); chunk.length > 0; chunk = await this.read()) yield chunk;
    } finally {
      await this.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #requireOpen(): void {
    if (this.#closed) throw failure(this.#target, "EBADF");
  }
}
