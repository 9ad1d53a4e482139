import type { FileReader, FileWriter, TextReader, WriteResult } from "@wink/filesystem";
import type { HandleState, LeftOpen } from "./handle-state.js";

/** A reader that is closed when its call ends. */
export class ReaderHandle implements FileReader, LeftOpen {
  readonly #reader: FileReader;
  readonly #state: HandleState;

  constructor(reader: FileReader, state: HandleState) {
    this.#reader = reader;
    this.#state = state;
    state.keepOpen(this);
  }

  get path(): string {
    return this.#reader.path;
  }

  get sizeBytes(): number {
    return this.#reader.sizeBytes;
  }

  get position(): number {
    return this.#reader.position;
  }

  read(length?: number): Promise<Uint8Array> {
    return this.#state.run("read", this.path, () => this.#reader.read(length));
  }

  seek(position: number): void {
    this.#state.requireOpen("seek", this.path);
    this.#reader.seek(position);
  }

  close(): Promise<void> {
    this.#state.closed(this);
    return this.#reader.close();
  }

  discard(): Promise<void> {
    return this.#reader.close();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    try {
      for (;;) {
        const chunk = await this.read();
        if (chunk.length === 0) return;
        yield chunk;
      }
    } finally {
      await this.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A writer that is aborted when its call ends, unless it was closed. */
export class WriterHandle implements FileWriter, LeftOpen {
  readonly #writer: FileWriter;
  readonly #state: HandleState;
  #ended = false;

  constructor(writer: FileWriter, state: HandleState) {
    this.#writer = writer;
    this.#state = state;
    state.keepOpen(this);
  }

  get path(): string {
    return this.#writer.path;
  }

  get bytesWritten(): number {
    return this.#writer.bytesWritten;
  }

  async write(chunk: Uint8Array | string): Promise<void> {
    await this.#state.run("write", this.path, () => this.#writer.write(chunk));
  }

  close(): Promise<WriteResult> {
    return this.#state.change("close", [this.path], async () => {
      const result = await this.#writer.close();
      this.#ended = true;
      this.#state.closed(this);
      this.#state.written(this.path, result);
      return result;
    });
  }

  abort(): Promise<void> {
    this.#ended = true;
    this.#state.closed(this);
    return this.#writer.abort();
  }

  discard(): Promise<void> {
    return this.#writer.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#ended) await this.abort();
  }
}

/** A text reader that is closed when its call ends. */
export class TextHandle implements TextReader, LeftOpen {
  readonly #reader: TextReader;
  readonly #state: HandleState;

  constructor(reader: TextReader, state: HandleState) {
    this.#reader = reader;
    this.#state = state;
    state.keepOpen(this);
  }

  get path(): string {
    return this.#reader.path;
  }

  async *lines(options?: { readonly strip?: boolean | undefined }): AsyncGenerator<string> {
    const lines = this.#reader.lines(options)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#state.run("read", this.path, () => lines.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await lines.return?.();
    }
  }

  close(): Promise<void> {
    this.#state.closed(this);
    return this.#reader.close();
  }

  discard(): Promise<void> {
    return this.#reader.close();
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.lines();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
