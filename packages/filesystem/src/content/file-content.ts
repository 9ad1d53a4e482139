import type { ReadResult } from "../protocol/filesystem.js";
import { countLines, LineIndex } from "./line-index.js";
import { looksBinary } from "./looks-binary.js";

/** Decodes strictly, and keeps a byte order mark: reading and writing back must change nothing. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * The content of one file, immutable.
 *
 * It is made from bytes or from text and turns into the other form when asked,
 * once. The positions of its lines are found on the first paged read and kept,
 * so that a later page costs what it returns.
 */
export class FileContent {
  // What is looked at most stands first, so that it is fetched from memory together.
  readonly sizeBytes: number;
  #answer: ReadResult | undefined;
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

  /** Takes the bytes over: the caller must not change them afterwards. */
  static ofBytes(bytes: Uint8Array, revision: string): FileContent {
    return new FileContent(bytes, undefined, bytes.length, revision);
  }

  /** `text` must be well-formed, and `sizeBytes` its length in UTF-8. */
  static ofText(text: string, sizeBytes: number, revision: string): FileContent {
    return new FileContent(undefined, text, sizeBytes, revision);
  }

  /** The bytes themselves, not a copy: do not change them. */
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

  /** Whether no search should look into it: no text, or text that holds a NUL near its start. */
  isBinary(): boolean {
    if (this.#isBinary === undefined) {
      const text = this.text();
      this.#isBinary = text === undefined || looksBinary(text);
    }
    return this.#isBinary;
  }

  /** Where the lines of its text are. Only for content whose `text()` is `text`. */
  lines(text: string): LineIndex {
    this.#lines ??= new LineIndex(text);
    return this.#lines;
  }

  /** How many lines `text` has. Only for content whose `text()` is not `undefined`. */
  lineCount(text: string): number {
    if (this.#lineCount < 0) this.#lineCount = countLines(text);
    return this.#lineCount;
  }

  /** The answer that was last given to a reader of it, for one who asks the same again. */
  get answer(): ReadResult | undefined {
    return this.#answer;
  }

  /** Only an answer that anybody may be given again: frozen, and made of this content. */
  keepAnswer(answer: ReadResult): ReadResult {
    this.#answer = answer;
    return answer;
  }

  equals(other: FileContent): boolean {
    if (this === other) return true;
    if (this.sizeBytes !== other.sizeBytes) return false;
    if (this.#text !== undefined && other.#text !== undefined)
      return endAlike(this.#text, other.#text) && this.#text === other.#text;
    return equalBytes(this.bytes(), other.bytes());
  }
}

/** Tells most texts of one length apart without fetching the whole of both from memory. */
function endAlike(a: string, b: string): boolean {
  const first = Math.max(0, a.length - 16);
  for (let index = a.length - 1; index >= first; index--)
    if (a.charCodeAt(index) !== b.charCodeAt(index)) return false;
  return true;
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
