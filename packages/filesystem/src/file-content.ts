import type { ReadResult } from "./filesystem.js";
import { looksBinary } from "./search/looks-binary.js";

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
  readonly sizeBytes: number;
  readonly revision: string;
  #bytes: Uint8Array | undefined;
  #text: string | undefined;
  #lineEnds: LineEnds | undefined;
  #lineCount = -1;
  #isBinary: boolean | undefined;
  #answer: ReadResult | undefined;
  #readable = true;

  private constructor(form: Form, revision: string) {
    this.#bytes = form.bytes;
    this.#text = form.text;
    this.sizeBytes = form.sizeBytes;
    this.revision = revision;
  }

  /** Takes the bytes over: the caller must not change them afterwards. */
  static ofBytes(bytes: Uint8Array, revision: string): FileContent {
    return new FileContent({ bytes, text: undefined, sizeBytes: bytes.length }, revision);
  }

  /** `text` must be well-formed, and `sizeBytes` its length in UTF-8. */
  static ofText(text: string, sizeBytes: number, revision: string): FileContent {
    return new FileContent({ bytes: undefined, text, sizeBytes }, revision);
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

  /** Where each line of `text` ends. Only for content whose `text()` is not `undefined`. */
  lineEnds(text: string): LineEnds {
    this.#lineEnds ??= findLineEnds(text);
    return this.#lineEnds;
  }

  /** How many lines `text` has. Only for content whose `text()` is not `undefined`. */
  lineCount(text: string): number {
    if (this.#lineCount < 0) this.#lineCount = this.#lineEnds?.length ?? countLines(text);
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
    if (this.#text !== undefined && other.#text !== undefined) return this.#text === other.#text;
    return equalBytes(this.bytes(), other.bytes());
  }
}

interface Form {
  readonly bytes: Uint8Array | undefined;
  readonly text: string | undefined;
  readonly sizeBytes: number;
}

/** The position just after each line, its `\n` included. As many as there are lines. */
export type LineEnds = readonly number[];

function findLineEnds(text: string): LineEnds {
  const ends: number[] = [];
  let position = text.indexOf("\n");
  while (position >= 0) {
    ends.push(position + 1);
    position = text.indexOf("\n", position + 1);
  }
  if (text.length > (ends.at(-1) ?? 0)) ends.push(text.length);
  return ends;
}

function countLines(text: string): number {
  let count = 0;
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    count++;
    start = end + 1;
  }
  return start < text.length ? count + 1 : count;
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
