import type { FileReader, OpenTextOptions, TextReader } from "../filesystem.js";
import { openReader } from "./file-reader.js";
import { failure, type Target } from "./target.js";
import type { Workspace } from "./workspace.js";

export async function openTextReader(
  workspace: Workspace,
  target: Target,
  options: OpenTextOptions,
): Promise<TextReader> {
  const reader = await openReader(workspace, target, options);
  return new StreamedTextReader(reader, target, workspace.limits.maxReadBytes);
}

class StreamedTextReader implements TextReader {
  readonly path: string;
  readonly #reader: FileReader;
  readonly #target: Target;
  readonly #maxLineLength: number;

  constructor(reader: FileReader, target: Target, maxLineLength: number) {
    this.path = target.path;
    this.#reader = reader;
    this.#target = target;
    this.#maxLineLength = maxLineLength;
  }

  async *lines({
    strip = false,
  }: {
    readonly strip?: boolean | undefined;
  } = {}): AsyncGenerator<string, void, void> {
    let rest = "";
    for await (const text of this.#decoded()) {
      // Nothing is searched twice, however long a line is.
      const pieces = text.includes("\n") ? (rest + text).split("\n") : [rest + text];
      // What follows the last line end is not a whole line yet.
      rest = pieces.pop() ?? "";
      if (rest.length > this.#maxLineLength)
        throw failure(
          this.#target,
          "EFBIG",
          `a line is longer than ${this.#maxLineLength} characters; use openRead`,
        );
      for (const line of pieces) yield strip ? withoutReturn(line) : `${line}\n`;
    }
    if (rest !== "") yield strip ? withoutReturn(rest) : rest;
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

  async *#decoded(): AsyncGenerator<string, void, void> {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    for await (const chunk of this.#reader) yield this.#decode(decoder, chunk);
    yield this.#decode(decoder, undefined);
  }

  /** Decodes a chunk, or with none the end, where half a character may be left over. */
  #decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | undefined): string {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw failure(this.#target, "EILSEQ");
    }
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
