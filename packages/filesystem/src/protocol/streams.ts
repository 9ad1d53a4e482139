import type { WriteResult } from "./filesystem.js";

/**
 * A file opened for reading. It returns the content at the time of opening or fails with `ESTALE`; it never mixes two
 * contents.
 */
export interface FileReader extends AsyncIterable<Uint8Array>, AsyncDisposable {
  readonly path: string;
  readonly sizeBytes: number;
  /** The next bytes, at most `length`; empty at the end of the file. @default one chunk */
  read(length?: number): Promise<Uint8Array>;
  /** Where the next read starts, in bytes. */
  readonly position: number;
  seek(position: number): void;
  close(): Promise<void>;
}

/**
 * A file opened for writing. Nothing is visible before `close`. `abort`, or disposing without `close`, discards
 * everything.
 */
export interface FileWriter extends AsyncDisposable {
  readonly path: string;
  readonly bytesWritten: number;
  write(chunk: Uint8Array | string): Promise<void>;
  /** Makes the content visible atomically. */
  close(): Promise<WriteResult>;
  /** Discards the written content. Does nothing after `close`. */
  abort(): Promise<void>;
  /** Aborts unless `close` was called, so that a block that throws commits nothing. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A text file opened for reading line by line. It is decoded while it is read. */
export interface TextReader extends AsyncIterable<string>, AsyncDisposable {
  readonly path: string;
  /** Every line, with its line end unless `strip` is set. */
  lines(options?: { readonly strip?: boolean | undefined }): AsyncIterable<string>;
  close(): Promise<void>;
}
