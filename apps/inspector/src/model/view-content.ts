import type { FileView } from "./run-views.js";

/** A page shows at most this much of one file. */
export const MAX_CONTENT_BYTES = 2_000_000;
const MAX_IMAGE_BYTES = 8_000_000;
/** The first bytes of other binary content, for a hexadecimal view. */
const MAX_BINARY_BYTES = 4_096;

/** A content for people: text, an image of a known kind, or bytes. */
export function viewContent(content: string, bytes: Uint8Array): FileView {
  const sizeBytes = bytes.length;
  const mediaType = imageType(bytes);
  if (mediaType !== undefined && sizeBytes <= MAX_IMAGE_BYTES)
    return {
      ...{ content, sizeBytes, kind: "image", mediaType, text: "", isCut: false },
      base64: toBase64(bytes),
    };
  const isCut = sizeBytes > MAX_CONTENT_BYTES;
  const text =
    mediaType === undefined ? textOfBytes(bytes.subarray(0, MAX_CONTENT_BYTES), isCut) : undefined;
  if (text !== undefined)
    return { content, sizeBytes, kind: "text", text, mediaType: "", base64: "", isCut };
  return {
    ...{ content, sizeBytes, kind: "binary", text: "", mediaType: "" },
    base64: toBase64(bytes.subarray(0, MAX_BINARY_BYTES)),
    isCut: sizeBytes > MAX_BINARY_BYTES,
  };
}

/** `undefined` if the bytes are not UTF-8 text. A character that a cut divided is dropped. */
export function textOfBytes(bytes: Uint8Array, isCut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

const IMAGES: readonly (readonly [type: string, at: number, magic: readonly number[]])[] = [
  ["image/png", 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", 0, [0xff, 0xd8, 0xff]],
  ["image/gif", 0, [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", 8, [0x57, 0x45, 0x42, 0x50]],
  ["image/avif", 4, [0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69, 0x66]],
];

/** By the first bytes, never by the name. SVG can contain scripts, so it is text. */
function imageType(bytes: Uint8Array): string | undefined {
  return IMAGES.find(([, at, magic]) =>
    magic.every((byte, index) => bytes[at + index] === byte),
  )?.[0];
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  // A long list of arguments overflows the stack.
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
