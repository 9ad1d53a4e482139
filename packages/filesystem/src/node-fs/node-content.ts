import { invalidType, invalidValue } from "./node-error.js";

/** The data that `node:fs` writes. */
export type NodeData =
  | string
  | NodeJS.ArrayBufferView
  | Iterable<string | NodeJS.ArrayBufferView>
  | AsyncIterable<string | NodeJS.ArrayBufferView>;

/** Options that may be given as the name of an encoding. */
export type EncodingOption =
  | BufferEncoding
  | "buffer"
  | { readonly encoding?: BufferEncoding | "buffer" | null | undefined }
  | null
  | undefined;

export function encodingOf(options: EncodingOption): BufferEncoding | undefined {
  const encoding = typeof options === "string" ? options : options?.encoding;
  if (encoding === "buffer" || encoding === null || encoding === undefined) return undefined;
  if (!Buffer.isEncoding(encoding)) throw invalidValue("encoding", "a known encoding", encoding);
  return encoding;
}

/** All bytes of the data, which may be a stream. */
export async function bytesOf(data: NodeData, encoding: BufferEncoding = "utf8"): Promise<Buffer> {
  if (typeof data === "string" || ArrayBuffer.isView(data)) return toBytes(data, encoding);
  if (!isIterable(data)) throw invalidType("data", "a string, bytes or a stream", data);
  const chunks: Buffer[] = [];
  for await (const chunk of data) chunks.push(toBytes(chunk, encoding));
  return Buffer.concat(chunks);
}

function isIterable(data: unknown): boolean {
  if (typeof data !== "object" || data === null) return false;
  return Symbol.iterator in data || Symbol.asyncIterator in data;
}

export function toBytes(
  data: string | NodeJS.ArrayBufferView,
  encoding: BufferEncoding = "utf8",
): Buffer {
  if (typeof data !== "string" && !ArrayBuffer.isView(data))
    throw invalidType("data", "a string or bytes", data);
  return typeof data === "string"
    ? Buffer.from(data, encoding)
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

export function toDate(time: number | string | Date): Date {
  if (time instanceof Date) return time;
  // Numbers are seconds.
  return new Date(Number(time) * 1_000);
}
