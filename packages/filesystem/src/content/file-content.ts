import { invalidArgument } from "../protocol/filesystem-error.js";
import { countLines, LineIndex } from "./line-index.js";
import { looksBinary } from "./looks-binary.js";

/** Strict, and keeps the byte order mark: text that is read and written back must not change. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * The content of one file, immutable.
 *
 * It is created from bytes or from text and converted to the other form at most once. The line positions are
 * computed on the first paged read and cached, so that later pages cost only what they return.
 */
export class FileContent {
  readonly sizeBytes: number;
  #text: string | undefined;
  readonly revision: string;
  #isBinary: boolean | undefined;
  #readable = true;
  #bytes: Uint8Array | undefined;
  #lines: LineIndex | undefined;
  #lineCount = -1;

  private constructor(
    bytes: Uint8Array | undefined,
    text: string | undefined,
    sizeBytes: number,
    revision: string,
  ) {
    this.#bytes = bytes;
    this.#text = text;
    this.sizeBytes = sizeBytes;
    this.revision = revision;
  }

  /** Takes ownership of the bytes: the caller must not change them afterwards. */
  static ofBytes(bytes: Uint8Array, revision: string): FileContent {
    if (!(bytes instanceof Uint8Array))
      throw invalidArgument("FileContent.ofBytes", "pass the bytes as a Uint8Array");
    return new FileContent(bytes, undefined, bytes.length, revision);
  }

  /** `text` must be well-formed, and `sizeBytes` its length in UTF-8. */
  static ofText(text: string, sizeBytes: number, revision: string): FileContent {
    if (typeof text !== "string")
      throw invalidArgument("FileContent.ofText", "pass the text as a string");
    return new FileContent(undefined, text, sizeBytes, revision);
  }

  /** This content, because it is in memory. Contents of a store are loaded on demand. */
  get loaded(): FileContent {
    return this;
  }

  /** This content, because it is in memory. Contents of a store are loaded on demand. */
  load(): FileContent {
    return this;
  }

  /** The internal bytes, not a copy. Do not change them. */
  bytes(): Uint8Array {
    this.#bytes ??= encoder.encode(this.#text);
    return this.#bytes;
  }

  /** The text, or `undefined` when the bytes are not UTF-8. */
  text(): string | undefined {
    if (this.#text === undefined && this.#readable) {
      this.#text = decodeText(this.#bytes);
      this.#readable = this.#text !== undefined;
    }
    return this.#text;
  }

  /** Whether searches should skip it: it is not UTF-8, or its text has a NUL near the start. */
  isBinary(): boolean {
    if (this.#isBinary === undefined) {
      const text = this.text();
      this.#isBinary = text === undefined || looksBinary(text);
    }
    return this.#isBinary;
  }

  /** The lines from `first` to before `last`, counted from 0. `text` must be the result of `text()`. */
  lines(text: string, first: number, last: number): string {
    requireText(text, "FileContent.lines");
    this.#lines ??= new LineIndex(text);
    return this.#lines.slice(first, last);
  }

  /** The number of lines. `text` must be the result of `text()`. */
  lineCount(text: string): number {
    requireText(text, "FileContent.lineCount");
    if (this.#lineCount < 0) this.#lineCount = countLines(text);
    return this.#lineCount;
  }

  equals(other: FileContent): boolean {
    if (this === other) return true;
    if (!(other instanceof FileContent))
      throw invalidArgument("FileContent.equals", "pass another FileContent");
    if (this.sizeBytes !== other.sizeBytes) return false;
    if (this.#text !== undefined && other.#text !== undefined) return this.#text === other.#text;
    return equalBytes(this.bytes(), other.bytes());
  }
}

function requireText(text: unknown, operation: string): void {
  if (typeof text !== "string") throw invalidArgument(operation, "pass the result of text()");
}

/** Strictly UTF-8, or `undefined`. */
export function decodeText(bytes: Uint8Array | undefined): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
