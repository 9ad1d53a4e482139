import type { BufferEncoding } from "just-bash";

export type Encoding =
  | BufferEncoding
  | { readonly encoding?: BufferEncoding | null | undefined }
  | undefined;
/** The content of a file, as commands pass it. */
export type Content = string | Uint8Array;

function encodingOf(options: Encoding): BufferEncoding {
  return (typeof options === "string" ? options : options?.encoding) ?? "utf8";
}

export function decode(bytes: Uint8Array, options: Encoding): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encodingOf(options));
}

export function encode(content: Content, options: Encoding): Uint8Array {
  return typeof content === "string" ? Buffer.from(content, encodingOf(options)) : content;
}
