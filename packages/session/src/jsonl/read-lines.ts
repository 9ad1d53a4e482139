import { TextDecoder } from "node:util";
import { invalidLine } from "./log-record.js";

const CHUNK_BYTES = 1 << 18;

/** The longest line that is written or read. A string in memory cannot be much longer. */
export const MAX_LINE_BYTES = 1 << 28;

const NEWLINE = 0x0a;

/** The part of a `FileHandle` that reading a log needs. */
export interface LogFile {
  stat(): Promise<{ readonly size: number }>;
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

export interface Line {
  readonly text: string;
  /** The offset of the next line. */
  readonly endBytes: number;
}

/** Yields the complete lines between two offsets. Text after the last newline is ignored. */
export async function* readLines(
  file: LogFile,
  startBytes: number,
  endBytes: number,
  firstLineNumber = 1,
): AsyncGenerator<Line, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let lineNumber = firstLineNumber;
  let position = startBytes;
  let lineStart = startBytes;
  let pending: Buffer[] = [];
  while (position < endBytes) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, endBytes - position));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return;
    let from = 0;
    for (
      let at = chunk.indexOf(NEWLINE);
      at >= 0 && at < bytesRead;
      at = chunk.indexOf(NEWLINE, from)
    ) {
      pending.push(chunk.subarray(from, at));
      from = at + 1;
      lineStart = position + from;
      yield { text: decode(decoder, pending, lineNumber), endBytes: lineStart };
      pending = [];
      lineNumber++;
    }
    pending.push(chunk.subarray(from, bytesRead));
    position += bytesRead;
    if (position - lineStart > MAX_LINE_BYTES)
      throw invalidLine(lineNumber, `a line is longer than ${MAX_LINE_BYTES} bytes`);
  }
}

function decode(decoder: TextDecoder, parts: readonly Buffer[], lineNumber: number): string {
  try {
    const [only] = parts;
    return decoder.decode(parts.length === 1 ? only : Buffer.concat(parts));
  } catch (cause) {
    throw invalidLine(lineNumber, "the line is not UTF-8 text", cause);
  }
}
