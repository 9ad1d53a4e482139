import { concatBytes } from "../content/bytes.js";
import { decodeText } from "../content/file-content.js";
import type { CallOptions, FileReader, TextReader } from "../protocol/filesystem.js";
import { openReader } from "./file-reader.js";
import { failure, type Target, type Workspace } from "./workspace.js";

const LINE_FEED = 0x0a;

export async function openTextReader(
  workspace: Workspace,
  target: Target,
  options: CallOptions,
): Promise<TextReader> {
  const reader = await openReader(workspace, target, options);
  return new StreamedTextReader(reader, target, workspace.limits.maxReadBytes);
}

class StreamedTextReader implements TextReader {
  readonly path: string;
  readonly #reader: FileReader;
  readonly #target: Target;
  readonly #maxLineBytes: number;

  constructor(reader: FileReader, target: Target, maxLineBytes: number) {
    this.path = target.path;
    this.#reader = reader;
    this.#target = target;
    this.#maxLineBytes = maxLineBytes;
  }

  async *lines(
    options?: { readonly strip?: boolean | undefined } | undefined,
  ): AsyncGenerator<string, void, void> {
    const strip = options?.strip ?? false;
    // The pieces of a line whose end has not been read yet. They are joined only once, however many there are.
    let pieces: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.#reader) {
      const end = chunk.lastIndexOf(LINE_FEED) + 1;
      if (end > 0) {
        yield* this.#split(concatBytes([...pieces, chunk.subarray(0, end)]), strip);
        pieces = [];
        length = 0;
      }
      pieces.push(chunk.subarray(end));
      length += chunk.length - end;
      this.#requireLength(length);
    }
    if (length > 0) yield this.#decode(concatBytes(pieces));
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.lines()[Symbol.asyncIterator]();
  }

  async close(): Promise<void> {
    await this.#reader.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Splits complete lines. They are decoded together, which is much faster than one by one, unless one is invalid or
   * too long.
   */
  *#split(block: Uint8Array, strip: boolean): Generator<string, void, void> {
    const text = block.length <= this.#maxLineBytes ? decodeText(block) : undefined;
    if (text !== undefined) {
      for (let start = 0, end = 0; start < text.length; start = end) {
        end = text.indexOf("\n", start) + 1;
        yield present(text.slice(start, end), strip);
      }
      return;
    }
    for (let start = 0, end = 0; start < block.length; start = end) {
      end = block.indexOf(LINE_FEED, start) + 1;
      this.#requireLength(end - 1 - start);
      yield present(this.#decode(block.subarray(start, end)), strip);
    }
  }

  #decode(bytes: Uint8Array): string {
    const text = decodeText(bytes);
    if (text === undefined) throw failure(this.#target, "EILSEQ");
    return text;
  }

  #requireLength(lineBytes: number): void {
    if (lineBytes <= this.#maxLineBytes) return;
    const reason = `a line is longer than ${this.#maxLineBytes} bytes`;
    throw failure(this.#target, "EFBIG", reason, "Use openRead.");
  }
}

/** The line, without its line end if `strip` is set. */
function present(line: string, strip: boolean): string {
  if (!strip) return line;
  return line.slice(0, line.endsWith("\r\n") ? -2 : -1);
}
